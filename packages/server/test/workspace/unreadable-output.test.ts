// Output that a worker has made unreadable: to root, which reads it all the same, and to an ordinary user.
import { chmod, chown, mkdir, readFile, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { tempDir } from "../../../../test/kit/temp.ts";
import { localWorkspace } from "../../src/ports.ts";
import { prepareWorkerFiles } from "../../src/workspace/worker-files.ts";
import { readWorkerSignal } from "../../src/workspace/worker-signal.ts";

const nobody = 65_534;
const self = process.geteuid?.() ?? 0;
const users = self === 0 ? { root: 0, "an ordinary user": nobody } : { "an ordinary user": self };

/** Where a worker works, and where its earlier output goes. */
class Place {
  readonly cwd: string;
  private readonly archive: string;

  constructor(path: string) {
    this.cwd = join(path, "tree");
    this.archive = join(path, "archive");
  }

  output = (path = ""): string => join(this.cwd, ".drover/output", path);
  archived = (path: string): Promise<string> => readFile(join(this.archive, path), "utf8");

  prepare(run: number, { keepsOutput = false } = {}): Promise<void> {
    const input = { manifest: "{}\n", files: [], archive: join(this.archive, String(run)), keepsOutput };
    return prepareWorkerFiles(this.cwd, input);
  }

  readSignal() {
    const { cwd } = this;
    return readWorkerSignal({ cwd, workspace: localWorkspace(cwd) }, async () => "");
  }

  /** Does what a worker may do: it signals, and then closes its output and a folder in it. */
  async leaveUnreadable(): Promise<void> {
    await this.prepare(1);
    await writeFile(this.output("signal.json"), '{"status":"done","result":"closed"}');
    await mkdir(this.output("pages"));
    await writeFile(this.output("pages/one.md"), "One\n");
    for (const folder of [this.output("pages"), this.output(), join(this.cwd, ".drover")])
      await chmod(folder, 0);
  }
}

/** Another user may pass through a directory, and through those above it. */
async function letPass(directory: string): Promise<void> {
  const { mode } = await stat(directory);
  if ((mode & 0o011) !== 0o011) await chmod(directory, mode | 0o011);
  if (dirname(directory) !== directory) await letPass(dirname(directory));
}

/** Works as another user in a directory of that user's own. */
async function asUser(user: number, work: (place: Place) => Promise<void>): Promise<void> {
  await using directory = await tempDir("worker-");
  await letPass(directory.path);
  const place = new Place(directory.path);
  await mkdir(place.cwd);
  for (const path of [directory.path, place.cwd]) await chown(path, user, user);
  process.seteuid?.(user);
  try {
    await work(place);
  } finally {
    process.seteuid?.(self);
  }
}

describe.each(Object.entries(users))("for %s", (_, user) => {
  test("a worker's unreadable output is named, and moved away before its next run", () =>
    asUser(user, async (place) => {
      await place.leaveUnreadable();
      const found = await place.readSignal();
      if (user === 0) expect(found).toMatchObject({ signal: { result: "closed" } });
      else expect(found).toMatchObject({ problem: expect.stringContaining("cannot be read (EACCES)") });
      await place.prepare(2);
      expect(await place.archived("2/pages/one.md")).toBe("One\n");
      expect(await place.readSignal()).toMatchObject({ isFound: false });
      await writeFile(place.output("signal.json"), '{"status":"done"}');
      expect(await place.readSignal()).toMatchObject({ isFound: true });
    }));

  test("a worker that is reminded of its signal keeps its unreadable output, without the signal", () =>
    asUser(user, async (place) => {
      await place.leaveUnreadable();
      await place.prepare(2, { keepsOutput: true });
      expect(JSON.parse(await place.archived("2"))).toMatchObject({ result: "closed" });
      expect(await place.readSignal()).toMatchObject({ isFound: false });
      await chmod(place.output("pages"), 0o700);
      expect(await readFile(place.output("pages/one.md"), "utf8")).toBe("One\n");
    }));
});

test("output that was moved away before a crash is still there when the run is prepared again", () =>
  asUser(self, async (place) => {
    await place.prepare(1);
    await writeFile(place.output("signal.json"), "{}");
    for (let tries = 0; tries < 2; tries += 1) await place.prepare(2);
    expect(await place.archived("2/signal.json")).toBe("{}");
  }));
