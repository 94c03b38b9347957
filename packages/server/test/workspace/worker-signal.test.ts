// A worker may leave anything where Drover looks for its signal.
import { execFile } from "node:child_process";
import { mkdir, rename, rm, symlink, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { type TempDir, tempDir } from "../../../../test/kit/temp.ts";
import { type FoundSignal, localWorkspace } from "../../src/ports.ts";
import { readWorkerSignal } from "../../src/workspace/worker-signal.ts";

const output = ".drover/output";
const signal = `${output}/signal.json`;
const done = JSON.stringify({ status: "done", result: "written" });
const fenced = (result: string) => `\`\`\`drover-signal\n{"status":"done","result":"${result}"}\n\`\`\`\n`;

interface Place extends TempDir {
  write(path: string, content: string): Promise<void>;
  read(said?: string): Promise<FoundSignal>;
}

async function place(): Promise<Place> {
  const directory = await tempDir("worker-");
  const cwd = directory.path;
  await mkdir(join(cwd, output), { recursive: true });
  return Object.assign(directory, {
    write: (path: string, content: string) => writeFile(join(cwd, path), content),
    read: (said = "") => readWorkerSignal({ cwd, workspace: localWorkspace(cwd) }, async () => said),
  });
}

type Mess = (place: Place, cwd: string) => Promise<unknown>;

/** What a worker left, and the words about it. */
const messes: Record<string, [Mess, RegExp]> = {
  nothing: [async () => {}, /^There is no \.drover\/output\/signal\.json\.$/],
  "no folder at all": [(_, cwd) => rm(join(cwd, ".drover"), { recursive: true }), /^There is no /],
  "a link": [
    async ({ write }, cwd) => {
      await write("real.json", done);
      await symlink(join(cwd, "real.json"), join(cwd, signal));
    },
    /signal\.json is a link/,
  ],
  "a folder": [(_, cwd) => mkdir(join(cwd, signal)), /signal\.json is a directory/],
  "a pipe": [
    (_, cwd) => promisify(execFile)("mkfifo", [join(cwd, signal)]),
    /signal\.json is no regular file/,
  ],
  "50 MB": [
    async ({ write }, cwd) => {
      await write(signal, done);
      await truncate(join(cwd, signal), 50 * 1024 * 1024);
    },
    /has more than 1048576 bytes/,
  ],
  "half a signal": [({ write }) => write(signal, '{"status":'), /is not valid JSON/],
  "another form": [({ write }) => write(signal, '{"status":"ok"}'), /needs a "status"/],
  "a folder behind a link": [
    async ({ write }, cwd) => {
      await write(signal, done);
      await rename(join(cwd, output), join(cwd, "elsewhere"));
      await symlink(join(cwd, "elsewhere"), join(cwd, output));
    },
    /is behind a link/,
  ],
  "a signal elsewhere": [
    async ({ write }, cwd) => {
      await mkdir(join(cwd, "src/output"), { recursive: true });
      await write("src/signal.json", '{"colour":"red"}');
      await write("src/output/signal.json", done);
    },
    /^There is a signal at src\/output\/signal\.json, but it counts only at /,
  ],
};

describe("a worker that leaves", () => {
  test.each(Object.entries(messes))(
    "%s leaves no signal, and the reminder says why",
    async (_, [make, words]) => {
      await using found = await place();
      await make(found, found.path);
      const read = await found.read();
      expect(read.isFound ? "found" : read.problem).toMatch(words);
    },
  );
});

test("a signal that is completed while it is read counts", async () => {
  await using found = await place();
  await found.write(signal, '{"status":');
  const reading = found.read();
  await found.write(signal, done);
  expect(await reading).toEqual({ isFound: true, signal: { status: "done", result: "written" } });
});

test("a fenced signal counts without a file, and the file wins", async () => {
  await using found = await place();
  expect(await found.read(fenced("said"))).toMatchObject({ signal: { result: "said" } });
  expect(await found.read("```drover-signal\nno\n```")).toMatchObject({
    problem: "The fenced signal is not valid JSON.",
  });
  await found.write(signal, done);
  expect(await found.read(fenced("said"))).toMatchObject({ signal: { result: "written" } });
  // One that cannot be used is not replaced by what was said.
  await found.write(signal, "{}");
  expect(await found.read(fenced("said"))).toMatchObject({ isFound: false });
});
