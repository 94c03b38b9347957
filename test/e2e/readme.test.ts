// Follows the README: runs the commands of its section on worktrees as they are shown.

import { execFile } from "node:child_process";
import { chmod, mkdir, mkdtemp, readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import type { WorktreeInfo } from "@drover/core";
import { expect, test } from "vitest";
import { cleanEnvironment, droverCommand } from "../kit/server.ts";
import { gitIn, repositoryAt } from "./repository.ts";
import { sharedRig } from "./shared-rig.ts";

const rig = sharedRig({});

const readme = await readFile(join(dirname(dirname(import.meta.dirname)), "README.md"), "utf8");
const [, block = ""] =
  /^## Several agents in one repository$[\s\S]*?^```sh\n([\s\S]*?)^```$/m.exec(readme) ?? [];

test("F7 the README's commands run two agents in one repository, undo a turn and fork a session", async () => {
  const top = await mkdtemp(join(rig.home, "work", "readme-"));
  await repositoryAt(top);
  const git = gitIn(top);
  await git("config", "user.name", "Ada");
  await git("config", "user.email", "ada@example.test");
  const bin = join(rig.home, "bin");
  await mkdir(bin);
  await writeFile(join(bin, "drover"), `#!/bin/sh\nexec "${process.execPath}" "${droverCommand}" "$@"\n`);
  await chmod(join(bin, "drover"), 0o755);
  const clean = cleanEnvironment(rig.home);
  const env = { ...clean, PATH: `${bin}:${clean["PATH"]}`, DROVER_NO_AUTOSTART: "1" };
  const trees = join(top, ".drover-worktrees");
  const notes = (name: string) => readFile(join(trees, name, "notes.txt"), "utf8").catch(() => undefined);
  const after: Record<string, () => Promise<void>> = {
    "drover run demo --worktree --name owl": async () =>
      expect([await notes("fox"), await notes("owl")]).toEqual(["Hello from fox", "Hello from owl"]),
    "drover undo fox": async () => expect(await notes("fox")).toBeUndefined(),
    "drover fork owl": async () => {
      const names = (await readdir(trees)).filter((name) => name !== "fox" && name !== "owl");
      expect([names.length, await notes(names[0] ?? "")]).toEqual([1, "Hello from owl"]);
    },
    "drover discard owl": async () => expect(await notes("owl")).toBeUndefined(),
    "drover undo owl": async () => expect(await notes("owl")).toBe("Hello from owl"),
    "drover commit owl": async () =>
      expect(await git("log", "-1", "--format=%an %s", "drover/owl")).toBe("Ada Add notes"),
    "drover rm fox": async () => expect(await readdir(trees)).not.toContain("fox"),
    "drover wait owl": async () => expect(await notes("owl")).toBe("Hello again"),
    "drover merge owl     ": async () => expect(await git("show", "main:notes.txt")).toBe("Hello again"),
  };
  const lines = block.split("\n").filter((line) => line !== "");
  for (const line of lines) {
    await promisify(execFile)("/bin/sh", ["-c", line], { cwd: top, env });
    await Object.entries(after).find(([start]) => line.startsWith(start))?.[1]();
  }
  for (const start of Object.keys(after))
    expect(
      lines.some((line) => line.startsWith(start)),
      start,
    ).toBe(true);
  expect([await git("status", "--porcelain"), await git("branch", "--show-current")]).toEqual(["", "main"]);
  const { workspaces } = await rig.client.get<{ workspaces: WorktreeInfo[] }>("/api/workspaces");
  expect(workspaces).toHaveLength(2);
});
