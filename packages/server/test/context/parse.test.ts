import fc from "fast-check";
import { expect, test } from "vitest";
import { anyText } from "../../../../test/kit/any-text.ts";
import { aheadAndBehind, parseBranches } from "../../src/context/branches.ts";
import { formatEnvironment, formatGit } from "../../src/context/format.ts";
import { countChanges } from "../../src/context/git-status.ts";
import { parseSettings } from "../../src/git/settings.ts";

const text = anyText({ maxLength: 2000 });
const path = anyText({ minLength: 1 }).map((name) => name.replaceAll("\0", "x"));
const plain = fc.constantFrom(" M", "M ", "MM", " D", "D ", "A ", "AM", "AD", "T ", " T", " A", "MD");
const renamed = fc.constantFrom("R ", "RM", "RD", "C ", "CM", " R", " C");
const conflict = fc.constantFrom("DD", "AU", "UD", "UA", "DU", "AA", "UU");

/** Entries as git writes them, with their status codes. */
const entry = fc.oneof(
  fc.tuple(fc.constant("??"), path).map(([code, name]) => ({ code, text: `${code} ${name}\0` })),
  fc.tuple(conflict, path).map(([code, name]) => ({ code, text: `${code} ${name}\0` })),
  fc.tuple(plain, path).map(([code, name]) => ({ code, text: `${code} ${name}\0` })),
  fc.tuple(renamed, path, path).map(([code, to, from]) => ({ code, text: `${code} ${to}\0${from}\0` })),
);

/** Valid branch names: no control character, space or ~^:?*[\ and no two dots in a row. */
const branch = fc.string({ unit: "grapheme", minLength: 1, maxLength: 40 }).map((name) =>
  name
    .replace(/[\p{Cc} ~^:?*[\\]/gu, "-")
    .replace(/\.+/g, ".")
    .replace(/^\.|\.$/g, "-"),
);

test("each entry of a status is counted by its two letters, whatever the files are called", () => {
  fc.assert(
    fc.property(fc.array(entry), (entries) => {
      const codes = entries.map(({ code }) => code);
      const merged = codes.filter((code) => /^(DD|AA|U.|.U)$/.test(code));
      const others = codes.filter((code) => code !== "??" && !merged.includes(code));
      expect(countChanges(entries.map((each) => each.text).join(""))).toEqual({
        untracked: codes.filter((code) => code === "??").length,
        conflicted: merged.length,
        staged: others.filter((code) => !code.startsWith(" ")).length,
        modified: others.filter((code) => !code.endsWith(" ")).length,
      });
    }),
  );
});

test("the commits ahead and behind are those of the current branch, whatever the branches are called", () => {
  const counts = fc.record({ name: branch, other: branch, ahead: fc.nat(), behind: fc.nat() });
  fc.assert(
    fc.property(counts, ({ name, other, ahead, behind }) => {
      fc.pre(name !== other);
      const words = [ahead && `ahead ${ahead}`, behind && `behind ${behind}`].filter(Boolean).join(", ");
      const track = words && `[${words}]`;
      const output = `refs/heads/${other}\0\0[ahead 99999]\nrefs/heads/${name}\0\0${track}\n`;
      expect(aheadAndBehind(parseBranches(output), name)).toEqual({ ahead, behind });
      const gone = parseBranches(`refs/heads/${name}\0\0[gone]\n`);
      expect(aheadAndBehind(gone, name)).toEqual({ ahead: 0, behind: 0 });
      expect(aheadAndBehind(gone, undefined)).toEqual({ ahead: 0, behind: 0 });
    }),
  );
});

test("the last of several values of a setting wins, and one without `=` has no value", () => {
  const output =
    "init.defaultbranch\nold\0core.excludesfile\na\nb\xe9\0init.defaultbranch\nnew\0core.filemode\0";
  expect([...parseSettings(Buffer.from(output, "latin1"))]).toEqual([
    ["init.defaultbranch", "new"],
    ["core.excludesfile", "a\nb\xe9"],
    ["core.filemode", undefined],
  ]);
  expect(parseSettings(Buffer.alloc(0)).size).toBe(0);
});

const environmentFacts = fc.record({
  cwd: text,
  version: text,
  port: fc.integer({ min: 1, max: 65_535 }),
  platform: text,
  release: text,
  node: text,
  hostname: text,
  date: fc.date({ noInvalidDate: true }),
});
const count = fc.nat({ max: 1_000_000 });
const gitFacts = fc.record({
  branch: fc.option(text, { nil: undefined }),
  mainBranch: text,
  ahead: fc.nat(),
  behind: fc.nat(),
  changes: fc.record({ modified: count, staged: count, untracked: count, conflicted: count }),
});

test("no value adds a line or breaks a character, and the whole block stays within 4 KB", () => {
  fc.assert(
    fc.property(environmentFacts, gitFacts, (environment, git) => {
      const env = formatEnvironment(environment);
      const status = formatGit(git);
      expect(env.split(/[\n\r\u2028\u2029\u0085]/)).toHaveLength(11);
      const optional = [git.ahead > 0, git.behind > 0, git.branch === undefined].filter(Boolean).length;
      expect(status.split(/[\n\r\u2028\u2029\u0085]/)).toHaveLength(6 + optional);
      const whole = `${env}\n\n${status}`;
      expect(whole.isWellFormed()).toBe(true);
      expect(Buffer.byteLength(whole)).toBeLessThanOrEqual(4096);
    }),
  );
});

test("a value that is too long is cut between two characters, and marked", () => {
  const facts = { branch: "ü".repeat(300), mainBranch: "main", ahead: 0, behind: 0 };
  const changes = { modified: 0, staged: 0, untracked: 0, conflicted: 0 };
  expect(formatGit({ ...facts, changes })).toContain(`\nCurrent branch: ${"ü".repeat(254)}…\n`);
  expect(formatGit({ ...facts, branch: "b".repeat(512), changes })).toContain(
    `\nCurrent branch: ${"b".repeat(512)}\n`,
  );
});
