// Workers on the command line: what is printed, and what the exit codes say.
import type { Session } from "@drover/core";
import { expect, test } from "vitest";
import { sharedRig } from "./shared-rig.ts";
import { drover } from "./support.ts";
import { quick } from "./worker-rig.ts";
import { worktreesOn } from "./worktree-rig.ts";

const shared = sharedRig({ config: quick });

test("a worker is spawned, listed, asked for its result, and discarded", async () => {
  await using rig = await worktreesOn(shared);
  const worker = (...args: string[]) => drover(rig.home, "worker", ...args);
  const task = "write new.txt one\nsignal done It is written.";
  const spawned = await worker("spawn", "demo", "--cwd", rig.work, "--name", "fox", task);
  expect(spawned).toMatchObject({ code: 0, stdout: "fox\n" });
  expect(spawned.stderr).toContain("drover worker result fox");
  expect(await worker("result", "fox")).toMatchObject({ code: 0, stdout: "It is written.\n" });
  const listed = await worker("ls");
  expect(listed.stdout).toMatch(/^fox +demo .*write new\.txt one$/m);
  const shown = await worker("show", "fox");
  expect(shown.stdout).toMatch(/^branch +drover\/fox$/m);
  expect(shown.stdout).toMatch(/^signal +done$/m);
  expect(await worker("discard", "fox")).toMatchObject({ code: 0 });
  expect(await worker("show", "fox")).toMatchObject({ code: 5 });
  expect((await worker("ls")).stderr).toContain("No workers yet");
});

test("a worker that asks needs a person, and its answers continue it", async () => {
  await using rig = await worktreesOn(shared);
  const worker = (...args: string[]) => drover(rig.home, "worker", ...args);
  const task = "signal questions Which port? | 80 | 8080";
  const asked = await worker("spawn", "demo", "--cwd", rig.work, "--name", "owl", "--wait", task);
  expect(asked.code).toBe(4);
  expect(asked.stdout).toContain("Which port?");
  expect(asked.stdout).toContain("drover worker answer owl");
  expect(await worker("result", "owl")).toMatchObject({ code: 4 });
  expect(await worker("answer", "owl", "80\nsignal error It is taken.")).toMatchObject({ code: 0 });
  const failed = await worker("result", "owl");
  expect(failed).toMatchObject({ code: 1, stdout: "" });
  expect(failed.stderr).toContain("It is taken.");
  expect(await worker("answer", "owl", "80")).toMatchObject({ code: 6 });
  expect(await worker("resume", "owl", "signal done 8080 it is")).toMatchObject({ code: 0 });
  const result = await worker("result", "owl", "--json");
  expect(result.code).toBe(0);
  expect((JSON.parse(result.stdout) as Session).worker).toMatchObject({ result: "8080 it is" });
  await rig.client.post("/api/sessions", { agent: "demo", cwd: rig.work, name: "plain" });
  expect(await worker("result", "plain")).toMatchObject({ code: 5 });
});

test("a worker that is stopped has no result", async () => {
  await using rig = await worktreesOn(shared);
  const worker = (...args: string[]) => drover(rig.home, "worker", ...args);
  await worker("spawn", "demo", "--cwd", rig.work, "--name", "elk", "hang");
  expect(await worker("result", "elk", "--timeout", "50ms")).toMatchObject({ code: 124 });
  expect(await worker("stop", "elk")).toMatchObject({ code: 0 });
  expect(await worker("result", "elk")).toMatchObject({ code: 1 });
});
