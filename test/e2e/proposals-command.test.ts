// What workers propose, on the command line.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { sharedRig } from "./shared-rig.ts";
import { drover } from "./support.ts";
import { quick } from "./worker-rig.ts";
import { worktreesOn } from "./worktree-rig.ts";

const shared = sharedRig({ config: quick });

test("proposals are listed, shown, exported and deleted", async () => {
  await using rig = await worktreesOn(shared);
  const worker = (...args: string[]) => drover(rig.home, "worker", ...args);
  const task = "propose phase Set up\nwrite .drover/output/phases/z.md ---\nsignal done planned";
  const spawned = ["spawn", "demo", "--cwd", rig.work, "--name", "fox", "--mode", "plan", "--wait", task];
  expect(await worker(...spawned)).toMatchObject({ code: 0, stdout: "planned\n" });
  const shown = await worker("show", "fox");
  expect(shown.stdout).toMatch(/^mode +plan$/m);
  expect(shown.stdout).toMatch(/^proposals +1 open, 1 invalid$/m);

  const listed = await worker("proposals", "fox");
  expect(listed.stdout).toMatch(/ phase +create +open +Set up$/m);
  expect(listed.stdout).toMatch(/ phase +create +invalid +z$/m);
  expect(listed.stderr).toContain("phases/z.md cannot be used: Its front matter has no closing line");

  const id = /^(prp_\w+).*open/m.exec(listed.stdout)?.[1] ?? "";
  const text = '---\ntitle: "Set up"\naction: "create"\n---\n\nProposed by the demo agent.\n';
  expect(await worker("proposals", "fox", "--show", id)).toMatchObject({ code: 0, stdout: text });

  const plan = join(rig.home, "plan");
  expect(await worker("proposals", "fox", "--export", plan)).toMatchObject({ code: 0 });
  expect(await readFile(join(plan, "phases/set-up.md"), "utf8")).toBe(text);
  const again = await worker("proposals", "fox", "--export", plan);
  expect(again).toMatchObject({ code: 6, stderr: expect.stringContaining("set-up.md exists") });

  expect(await worker("proposals", "fox", "--rm", id)).toMatchObject({ code: 0 });
  expect(await worker("proposals", "fox", "--show", id)).toMatchObject({ code: 5 });
  expect((await worker("proposals", "fox")).stdout).not.toContain(id);
  await worker("spawn", "demo", "--cwd", rig.work, "--name", "owl", "--wait", "signal done");
  expect((await worker("proposals", "owl")).stderr).toContain("owl has proposed nothing");
});
