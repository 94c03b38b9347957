import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { formatEnvironment, formatGit } from "../../src/context/format.ts";
import { parseStatus } from "../../src/context/git-status.ts";
import { parseConfig, withoutFilters } from "../../src/git/git-config.ts";

const text = fc.string({ unit: "binary", maxLength: 2000 });
const path = fc.string({ unit: "binary", minLength: 1 }).map((name) => name.replaceAll("\0", "x"));
const plain = fc.constantFrom(" M", "M ", "MM", " D", "D ", "A ", "AM", "AD", "T ", " T", " A", "MD");
const renamed = fc.constantFrom("R ", "RM", "RD", "C ", "CM", " R", " C");
const conflict = fc.constantFrom("DD", "AU", "UD", "UA", "DU", "AA", "UU");

/** Entries as git writes them, with the counts they stand for. */
const entry = fc.oneof(
  fc.tuple(fc.constant("??"), path).map(([code, name]) => ({ code, text: `${code} ${name}\0` })),
  fc.tuple(conflict, path).map(([code, name]) => ({ code, text: `${code} ${name}\0` })),
  fc.tuple(plain, path).map(([code, name]) => ({ code, text: `${code} ${name}\0` })),
  fc.tuple(renamed, path, path).map(([code, to, from]) => ({ code, text: `${code} ${to}\0${from}\0` })),
);

/** Names by git's rules: no control character, space or ~^:?*[\ and no two dots in a row. */
const branch = fc.string({ unit: "grapheme", minLength: 1, maxLength: 40 }).map((name) =>
  name
    .replace(/[\p{Cc} ~^:?*[\\]/gu, "-")
    .replace(/\.+/g, ".")
    .replace(/^\.|\.$/g, "-"),
);

test("whatever the files are called, each entry of a status counts by its two letters", () => {
  fc.assert(
    fc.property(fc.array(entry), (entries) => {
      const codes = entries.map(({ code }) => code);
      const merged = codes.filter((code) => /^(DD|AA|U.|.U)$/.test(code));
      const others = codes.filter((code) => code !== "??" && !merged.includes(code));
      const { changes } = parseStatus(`## main\0${entries.map((each) => each.text).join("")}`);
      expect(changes).toEqual({
        untracked: codes.filter((code) => code === "??").length,
        conflicted: merged.length,
        staged: others.filter((code) => !code.startsWith(" ")).length,
        modified: others.filter((code) => !code.endsWith(" ")).length,
      });
    }),
  );
});

test("whatever the branches are called, the header of a status is read back", () => {
  const header = fc.record({
    name: branch,
    upstream: branch,
    ahead: fc.nat(),
    behind: fc.nat(),
    start: fc.constantFrom("## ", "## No commits yet on "),
  });
  fc.assert(
    fc.property(header, ({ name, upstream, ahead, behind, start }) => {
      const alone = { branch: name, ahead: 0, behind: 0 };
      expect(parseStatus(`${start}${name}\0`)).toMatchObject(alone);
      expect(parseStatus(`${start}${name}...${upstream} [gone]\0`)).toMatchObject(alone);
      const track = [ahead && `ahead ${ahead}`, behind && `behind ${behind}`].filter(Boolean).join(", ");
      const tracked = `${start}${name}...${upstream}${track && ` [${track}]`}\0`;
      expect(parseStatus(tracked)).toMatchObject({ branch: name, ahead, behind });
    }),
  );
});

test.for(["", "fatal: no", "## a b\0", "## main [different]\0"])(
  "a status that begins with '%s' is refused",
  (output) => {
    expect(() => parseStatus(output)).toThrow("unknown form");
  },
);

describe("of the settings", () => {
  test("the last default branch holds, and an empty one is none", () => {
    const config = "init.defaultbranch\nold\0init.defaultbranch\nnew\0";
    expect(parseConfig(config).defaultBranch).toBe("new");
    expect(parseConfig("init.defaultbranch\n\0").defaultBranch).toBeUndefined();
    expect(parseConfig("init.defaultbranch\0").defaultBranch).toBeUndefined();
    expect(parseConfig("")).toEqual({ defaultBranch: undefined, filters: [] });
  });

  test("each filter is found once, whatever its name, and turned off whole", () => {
    const config =
      "filter.lfs.clean\na\nb\0filter.lfs.required\0filter.A b.c.process\nx\0filter..clean\nx\0filter.clean\nx\0";
    expect(parseConfig(config).filters).toEqual(["lfs", "A b.c", ""]);
    expect(withoutFilters(["A b.c"])).toEqual([
      ...["-c", "filter.A b.c.clean="],
      ...["-c", "filter.A b.c.process="],
      ...["-c", "filter.A b.c.required=false"],
    ]);
  });
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

test("no value adds a line of its own or breaks a character, and all together stay within 4 KB", () => {
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

test("a value too long for its line is cut between two characters, and shows it", () => {
  const facts = { branch: "ü".repeat(300), mainBranch: "main", ahead: 0, behind: 0 };
  const changes = { modified: 0, staged: 0, untracked: 0, conflicted: 0 };
  expect(formatGit({ ...facts, changes })).toContain(`\nCurrent branch: ${"ü".repeat(254)}…\n`);
  expect(formatGit({ ...facts, branch: "b".repeat(512), changes })).toContain(
    `\nCurrent branch: ${"b".repeat(512)}\n`,
  );
});
