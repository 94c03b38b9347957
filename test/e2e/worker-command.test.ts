// Workers on the command line: what is printed, and what the exit codes say.
import { join } from "node:path";
import type { Session } from "@drover/core";
import { expect, test } from "vitest";
import { until } from "../kit/until.ts";
import { sharedRig } from "./shared-rig.ts";
import { drover } from "./support.ts";
import { quick } from "./worker-rig.ts";
import { git, worktreesOn } from "./worktree-rig.ts";

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
  const task = "signal questions Which port? | 80 | port=8080";
  const asked = await worker("spawn", "demo", "--cwd", rig.work, "--name", "owl", "--wait", task);
  expect(asked.code).toBe(4);
  expect(asked.stdout).toContain("Which port?");
  expect(asked.stdout).toContain("drover worker answer owl");
  expect(await worker("result", "owl")).toMatchObject({ code: 4 });
  expect(await worker("answer", "owl", "port=8080\nsignal error It is taken.")).toMatchObject({ code: 0 });
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

test("several workers try one task, are compared, and one is accepted", async () => {
  await using rig = await worktreesOn(shared);
  const worker = (...args: string[]) => drover(rig.home, "worker", ...args);
  const spawn = (task: string, ...options: string[]) =>
    worker("spawn", "demo", "--cwd", rig.work, "--permission-mode", "never", ...options, task);
  // Each of them writes its own name.
  const task = "run basename $PWD > name.txt\nsignal done It is written.";
  const spawned = await spawn(task, "--count", "3", "--name", "try");
  expect(spawned).toMatchObject({ code: 0, stdout: "try-1\ntry-2\ntry-3\n" });
  expect(spawned.stderr).toContain("drover worker compare try");
  const areReviewed = async () => {
    const { sessions } = await rig.client.get<{ sessions: Session[] }>("/api/sessions?batch=try&review=open");
    return sessions.length === 3;
  };
  await until(areReviewed);
  const compared = await worker("compare", "try");
  expect(compared.stdout).toMatch(/^try-2 +demo +ready for review .*1 file \+1 −0 +It is written\.$/m);
  expect((await worker("compare", "try-3")).stdout).toMatch(/^try-1 /m);
  const diff = await worker("compare", "try", "--diff", "try-1", "try-2");
  expect(diff.stdout).toMatch(/^-try-1\n\+try-2$/m);
  expect((await drover(rig.home, "diff", "try-2", "--with", "try-1")).stdout).toBe(diff.stdout);
  expect(await worker("compare", "try", "--diff", "try-1", "try-9")).toMatchObject({ code: 5 });
  expect((await worker("ls")).stdout.match(/ try +run basename/g)).toHaveLength(3);

  const elsewhere = join(rig.home, "elsewhere");
  await git(rig.home, rig.work, "clone", "-q", ".", elsewhere);
  const same = ["--cwd", elsewhere, "--batch", "try", "--name", "elk"];
  expect(await worker("spawn", "demo", ...same, "signal done")).toMatchObject({ code: 0 });
  const accepted = await worker("accept", "try-2", "--discard-others", "--json");
  expect(JSON.parse(accepted.stdout)).toMatchObject({
    ...{ name: "try-2", review: { state: "accepted" } },
    discarded: [{ name: "try-1" }, { name: "try-3" }],
  });
  const { sessions } = await rig.client.get<{ sessions: Session[] }>("/api/sessions?batch=try");
  // A batch of another project has nothing to do with it.
  expect(sessions.map(({ name }) => name).sort()).toEqual(["elk", "try-2"]);

  await rig.client.post("/api/sessions", { agent: "demo", cwd: rig.work, name: "again-2" });
  const halfway = await spawn(task, "--count", "3", "--name", "again");
  expect(halfway).toMatchObject({ code: 6, stdout: "" });
  expect(halfway.stderr).toContain("Already started: again-1. To discard it: drover worker discard again-1");
  expect(await worker("discard", "again-1")).toMatchObject({ code: 0 });
});

test("waiting for several workers reports the worst of them", async () => {
  await using rig = await worktreesOn(shared);
  const wait = (task: string, ...options: string[]) =>
    drover(
      rig.home,
      "worker",
      "spawn",
      "demo",
      "--cwd",
      rig.work,
      "--count",
      "2",
      "--wait",
      ...options,
      task,
    );
  const done = await wait("signal done fine", "--name", "fine");
  expect(done.code).toBe(0);
  expect(done.stdout.split("\n").sort()).toEqual(["", "fine", "fine", "fine-1:", "fine-2:"]);
  const asked = await wait("signal questions Which? | A | B", "--json");
  expect(asked.code).toBe(4);
  const { batch, workers } = JSON.parse(asked.stdout) as { batch: string; workers: Session[] };
  expect(workers.map(({ worker }) => worker?.batch)).toEqual([batch, batch]);
  expect(await wait("hang", "--timeout", "50ms")).toMatchObject({ code: 124 });
});

test("what is no worker, or no try, is refused by the commands about them", async () => {
  await using rig = await worktreesOn(shared);
  const worker = (...args: string[]) => drover(rig.home, "worker", ...args);
  await rig.client.post("/api/sessions", { agent: "demo", cwd: rig.work, name: "plain" });
  for (const command of ["accept", "discard", "compare"])
    expect(await worker(command, "plain"), command).toMatchObject({ code: 5, stdout: "" });
  await worker("spawn", "demo", "--cwd", rig.work, "--name", "elk", "--wait", "signal done");
  expect(await worker("compare", "elk")).toMatchObject({ code: 6 });
  expect(await worker("accept", "elk", "--discard-others")).toMatchObject({ code: 6 });
});

test("a worker that is stopped has no result", async () => {
  await using rig = await worktreesOn(shared);
  const worker = (...args: string[]) => drover(rig.home, "worker", ...args);
  await worker("spawn", "demo", "--cwd", rig.work, "--name", "elk", "hang");
  expect(await worker("result", "elk", "--timeout", "50ms")).toMatchObject({ code: 124 });
  expect(await worker("stop", "elk")).toMatchObject({ code: 0 });
  expect(await worker("result", "elk")).toMatchObject({ code: 1 });
});
