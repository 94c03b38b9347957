// Traps in a repository that try to make the demo agent read or write elsewhere, or hang.
import { execFileSync } from "node:child_process";
import { mkdir, readdir, readFile, rename, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { tempDir } from "../../../../test/kit/temp.ts";
import { choose, type Demo, demoWithSession, place, textIn } from "./harness.ts";

const secret = "the secret of another directory";

/** A working directory, and another one with something to protect. */
async function scene() {
  const where = await place();
  const outside = await tempDir("demo-outside-");
  await writeFile(join(outside.path, "secret.txt"), secret);
  const at = (path: string) => join(where.cwd, path);
  const fifo = (path: string) => execFileSync("mkfifo", [at(path)]);
  return {
    ...{ where, at, fifo, outside: outside.path },
    /** Checks that nothing outside was added or changed. */
    untouched: async () => {
      expect(await readdir(outside.path)).toEqual(["secret.txt"]);
      expect(await readFile(join(outside.path, "secret.txt"), "utf8")).toBe(secret);
    },
    async [Symbol.asyncDispose]() {
      await where[Symbol.asyncDispose]();
      await outside.remove();
    },
  };
}

type Scene = Awaited<ReturnType<typeof scene>>;

const link = /leads through a link; links are not followed$/;
const irregular = /is not a regular file$/;

/** A path, and why the agent refuses it. */
type Refused = readonly [path: string, why: RegExp];

/** Checks that every call failed for its reason, except one more at the end. */
function allButLastFail({ calls }: Demo, refused: readonly Refused[]): void {
  expect(calls).toHaveLength(refused.length + 1);
  for (const [at, [path, why]] of refused.entries()) {
    expect(calls[at], path).toMatchObject({ status: "failed" });
    expect(textIn(calls[at]), path).toMatch(why);
  }
  expect(calls.at(-1)).toMatchObject({ status: "completed" });
}

describe("the demo agent follows no links", () => {
  const reads: readonly Refused[] = [
    ["file-link", link],
    ["directory-link", link],
    ["directory-link/secret.txt", link],
    ["sub/deep-link/secret.txt", link],
    ["sub/up/a.txt", link],
    ["near-link", link],
    ["dangling", link],
    ["device", link],
    ["pipe", irregular],
    ["sub/../../outside", /is not inside the working directory$/],
    ["/etc/hostname", /is not inside the working directory$/],
  ];

  it("when it reads", async () => {
    await using all = await scene();
    const { at, fifo, outside, where } = all;
    await mkdir(at("sub"));
    await writeFile(at("a.txt"), "a\n");
    for (const [name, target] of [
      ["file-link", join(outside, "secret.txt")],
      ["directory-link", outside],
      ["sub/deep-link", outside],
      ["sub/up", ".."],
      ["near-link", "a.txt"],
      ["dangling", join(outside, "nothing")],
      ["device", "/dev/zero"],
    ] as const) {
      await symlink(target, at(name));
    }
    fifo("pipe");
    await using demo = await demoWithSession(where);
    const lines = reads.map(([path]) => `read ${path}`);
    expect(await demo.prompt(...lines, "read a.txt")).toMatchObject({ stopReason: "end_turn" });
    allButLastFail(demo, reads);
  });

  const writes: readonly Refused[] = [
    ["file-link", link],
    ["directory-link/new.txt", link],
    ["directory-link/deep/new.txt", link],
    ["near-link", link],
    ["pipe", irregular],
    ["pipe/x", irregular],
    ["sub", /is a directory$/],
  ];

  it("when it writes, and fails before asking for approval", async () => {
    await using all = await scene();
    const { at, fifo, outside, untouched, where } = all;
    await mkdir(at("sub"));
    await writeFile(at("a.txt"), "a\n");
    await symlink(join(outside, "secret.txt"), at("file-link"));
    await symlink(outside, at("directory-link"));
    await symlink("a.txt", at("near-link"));
    fifo("pipe");
    await using demo = await demoWithSession(where, { permit: choose("allow_once") });
    const lines = writes.map(([path]) => `write ${path} x`);
    expect(await demo.prompt(...lines, "write b.txt b")).toMatchObject({ stopReason: "end_turn" });
    allButLastFail(demo, writes);
    expect(demo.permissions).toHaveLength(1);
    expect(await readFile(at("a.txt"), "utf8")).toBe("a\n");
    await untouched();
  });

  it("that replace a directory while it waits for approval", async () => {
    await using all = await scene();
    const { at, outside, untouched, where } = all;
    await mkdir(at("sub"));
    await using demo = await demoWithSession(where, {
      permit: async (request) => {
        await rename(at("sub"), at("moved"));
        await symlink(outside, at("sub"));
        return choose("allow_once")(request);
      },
    });
    await demo.prompt("write sub/new.txt x");
    expect(demo.calls).toMatchObject([{ status: "failed" }]);
    expect(textIn(demo.calls[0])).toMatch(link);
    await untouched();
  });

  it.for<[string, RegExp, (scene: Scene) => Promise<unknown>]>([
    [".drover is a link", link, ({ at, outside }) => symlink(outside, at(".drover"))],
    [
      "demo.log is a link",
      link,
      async ({ at, outside }) => {
        await mkdir(at(".drover"));
        await symlink(join(outside, "secret.txt"), at(".drover/demo.log"));
      },
    ],
    [
      "demo.log is a pipe",
      irregular,
      async ({ at, fifo }) => {
        await mkdir(at(".drover"));
        fifo(".drover/demo.log");
      },
    ],
  ])("for its action log: if %s, it does nothing", async ([, why, plant]) => {
    await using all = await scene();
    const { untouched, where } = all;
    await plant(all);
    await using demo = await demoWithSession(where, { permit: choose("allow_once") });
    const turn = await demo.prompt("write new.txt x", "run touch ran", "say still here");
    expect(turn).toMatchObject({ stopReason: "end_turn" });
    expect(demo.calls).toMatchObject([{ status: "failed" }, { status: "failed" }]);
    for (const call of demo.calls) expect(textIn(call)).toMatch(why);
    expect(await readdir(where.cwd)).toEqual([".drover"]);
    await untouched();
  });
});
