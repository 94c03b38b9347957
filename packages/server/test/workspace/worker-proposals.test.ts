// A worker may leave anything where Drover looks for its proposals.
import { execFile } from "node:child_process";
import { mkdir, rename, rm, symlink, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { draftOf, type ProposalDraft, type WorkerMode } from "@drover/core";
import { describe, expect, test } from "vitest";
import { type TempDir, tempDir } from "../../../../test/kit/temp.ts";
import { readWorkerProposals } from "../../src/workspace/worker-proposals.ts";

const output = ".drover/output";
const phases = `${output}/phases`;
const most = 256 * 1024;

interface Place extends TempDir {
  write(path: string, content: string): Promise<void>;
  drafts(mode?: WorkerMode): Promise<ProposalDraft[]>;
}

async function place(): Promise<Place> {
  const directory = await tempDir("worker-");
  const cwd = directory.path;
  await mkdir(join(cwd, phases), { recursive: true });
  return Object.assign(directory, {
    write: (path: string, content: string) => writeFile(join(cwd, path), content),
    drafts: async (mode: WorkerMode = "plan") => (await readWorkerProposals(cwd, mode)).files.map(draftOf),
  });
}

const front = (fields: string, body = "Text\n") => `---\n${fields}\n---\n${body}`;

test("proposals are read in the order of their names, with their fields", async () => {
  await using found = await place();
  const fields = "title: Second\naction: update\ntargetId: phs_1\ndependsOn: [one]\nday: 2026-01-01";
  await found.write(`${phases}/b.md`, front(fields));
  await found.write(`${phases}/a.md`, "# The first\n\nText\n");
  await found.write(`${phases}/c.md`, "\uFEFF---\r\n\r\n---\r\nNo heading\r\n");
  await found.write(`${phases}/notes.txt`, "Not for Drover");
  expect(await found.drafts()).toEqual([
    {
      ...{ kind: "phase", file: "phases/a.md", title: "The first", action: "create", meta: {} },
      ...{ body: "# The first\n\nText\n", size: 18, state: "open" },
    },
    {
      ...{ kind: "phase", file: "phases/b.md", title: "Second", action: "update", targetId: "phs_1" },
      ...{ meta: { dependsOn: ["one"], day: "2026-01-01" }, body: "Text\n", size: 91, state: "open" },
    },
    expect.objectContaining({ title: "c", body: "No heading\r\n", state: "open" }),
  ]);
});

type Mess = (place: Place, cwd: string) => Promise<unknown>;

const one = `${phases}/one.md`;

/** What is kept of a file that cannot be used. */
const messes: Record<string, [Mess, RegExp]> = {
  "a link": [
    async ({ write }, cwd) => {
      await write("real.md", "# Real\n");
      await symlink(join(cwd, "real.md"), join(cwd, one));
    },
    /^The file is a link; /,
  ],
  "a directory": [(_, cwd) => mkdir(join(cwd, one)), /^The file is a directory; /],
  "a pipe": [(_, cwd) => promisify(execFile)("mkfifo", [join(cwd, one)]), /^The file is no regular file; /],
  "one byte too many": [
    async ({ write }, cwd) => {
      await write(one, "# Long\n");
      await truncate(join(cwd, one), most + 1);
    },
    /^The file has more than 262144 bytes\.$/,
  ],
  "front matter without an end": [({ write }) => write(one, "---\ntitle: x\n"), /no closing line of ---/],
  "front matter of 17 KB": [
    ({ write }) => write(one, front(`title: ${"x".repeat(17_000)}`)),
    /more than 16384 characters/,
  ],
  "a huge key": [({ write }) => write(one, front(`? ${"x".repeat(17_000)}\n: y`)), /more than 16384/],
  "an alias bomb": [
    ({ write }) => {
      const levels = Array.from({ length: 20 }, (_, n) => `l${n + 1}: &l${n + 1} [${`*l${n},`.repeat(9)}]`);
      return write(one, front(`l0: &l0 [x]\n${levels.join("\n")}`));
    },
    /not valid YAML: Alias/,
  ],
  "an alias": [({ write }) => write(one, front("a: &a x\nb: *a")), /not valid YAML: Alias/],
  "deep nesting": [
    ({ write }) => write(one, front(`a: ${"[".repeat(7_000)}${"]".repeat(7_000)}`)),
    /nested too deeply/,
  ],
  "less deep nesting": [
    ({ write }) => write(one, front(`a: ${"[".repeat(200)}${"]".repeat(200)}`)),
    /too large or nested too deeply/,
  ],
  "too many fields": [
    ({ write }) => write(one, front(Array.from({ length: 1_500 }, (_, n) => `k${n}: 1`).join("\n"))),
    /too large or nested too deeply/,
  ],
  "broken YAML": [({ write }) => write(one, front("title: [")), /^Its front matter is not valid YAML: /],
  "a repeated field": [({ write }) => write(one, front("title: a\ntitle: b")), /not valid YAML: .*unique/],
  "a tag": [({ write }) => write(one, front("title: !!binary aGk=")), /not valid YAML: .*tag/],
  "a list": [({ write }) => write(one, front("- title")), /^Its front matter has no fields\.$/],
  "a number as the title": [({ write }) => write(one, front("title: 7")), /^Its "title" is not a text/],
  "a prototype": [({ write }) => write(one, front("__proto__: {action: delete}")), /"__proto__"/],
  "another action": [({ write }) => write(one, front("action: merge")), /^Its "action" must be one of/],
  "an update of nothing": [({ write }) => write(one, front("action: update")), /needs a "targetId"/],
};

describe("a proposal that is", () => {
  test.each(Object.entries(messes))("%s is invalid, and says why", async (_, [make, words]) => {
    await using found = await place();
    await make(found, found.path);
    const [draft, ...more] = await found.drafts();
    expect(more).toEqual([]);
    expect(draft).toMatchObject({ title: "one", file: "phases/one.md", state: "invalid", meta: {} });
    expect(draft?.problem).toMatch(words);
  });
});

test("a file of exactly 256 KB is read", async () => {
  await using found = await place();
  await found.write(one, "x".repeat(most));
  expect(await found.drafts()).toMatchObject([{ state: "open", size: most }]);
});

test("of 10,000 files, the first 200 are read", async () => {
  await using found = await place();
  const names = Array.from({ length: 10_000 }, (_, n) => `${String(n).padStart(5, "0")}.md`);
  for (const name of names.toReversed()) await found.write(`${phases}/${name}`, "");
  const { files, ignored } = await readWorkerProposals(found.path, "plan");
  expect(files.map(({ name }) => name)).toEqual(names.slice(0, 200));
  expect(ignored).toEqual([{ file: phases, problem: "It has 10000 files; Drover has read the first 200." }]);
});

test("proposals of a kind that the mode does not bring are ignored by name", async () => {
  await using found = await place();
  await found.write(one, "# One\n");
  await mkdir(join(found.path, output, "tasks"));
  expect(await readWorkerProposals(found.path, "detail")).toEqual({
    files: [],
    ignored: [{ file: phases, problem: "A worker of the mode detail brings tasks." }],
  });
  const { ignored } = await readWorkerProposals(found.path, "execute");
  expect(ignored).toMatchObject([{ problem: "A worker of the mode execute brings no proposals." }]);
});

test("a folder behind a link is not read, and neither is one that is no folder", async () => {
  await using found = await place();
  const real = join(found.path, "elsewhere");
  await found.write(one, "# One\n");
  await rename(join(found.path, phases), real);
  await symlink(real, join(found.path, phases));
  const behind = { files: [], ignored: [{ file: phases, problem: expect.stringContaining("link") }] };
  expect(await readWorkerProposals(found.path, "plan")).toEqual(behind);
  await rm(join(found.path, phases));
  await found.write(phases, "");
  expect(await readWorkerProposals(found.path, "plan")).toEqual(behind);
  await rm(join(found.path, ".drover"), { recursive: true });
  expect(await readWorkerProposals(found.path, "plan")).toEqual({ files: [], ignored: [] });
});
