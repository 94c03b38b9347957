// The modes in which a worker reads, and proposes.
import { readdir } from "node:fs/promises";
import type { Proposal, ProposalText, WorkerMode } from "@drover/core";
import { expect, test } from "vitest";
import { usually } from "../kit/soak.ts";
import { until } from "../kit/until.ts";
import { inside, insideAgents, isRefused, openShell } from "./inside.ts";
import { sharedRig } from "./shared-rig.ts";
import { kitAgent } from "./support.ts";
import { quick, spawn, type Worker } from "./worker-rig.ts";
import { type WorktreeRig, worktreesOn } from "./worktree-rig.ts";

const shared = sharedRig({
  agents: {
    ...insideAgents,
    unasked: kitAgent("runs-commands.mjs"),
    lingers: { ...kitAgent("jsonl-lingers.mjs"), driver: "jsonl" },
    edits: { ...kitAgent("jsonl-edits.mjs", "--may", "write"), driver: "jsonl" },
  },
  config: { workers: { ...quick.workers, signalTries: 1, doneGrace: "1ms" } },
});

const modes: readonly [WorkerMode, string][] = [
  ["discuss", "decision"],
  ["plan", "phase"],
  ["detail", "task"],
  ["refine", "page"],
];

async function proposalsOf(rig: WorktreeRig, id: string): Promise<readonly Proposal[]> {
  return (await rig.client.get<{ proposals: Proposal[] }>(`/api/sessions/${id}/proposals`)).proposals;
}

const notices = (worker: Worker, code: string) => worker.all("notice").filter((each) => each.code === code);

test.each(modes)("a worker of the mode %s reads, and leaves a %s as a proposal", async (mode, kind) => {
  await using rig = await worktreesOn(shared);
  const prompt = `read kept.txt\npropose ${kind} Set up: "it"\nwrite new.txt one\nrun touch new\nsignal done`;
  await using worker = await spawn(rig, prompt, { mode });
  expect(await worker.ended()).toMatchObject({ ok: true });
  const [proposal, ...more] = await proposalsOf(rig, worker.id);
  expect(more).toEqual([]);
  const file = `${kind}s/set-up-it.md`;
  expect(proposal).toMatchObject({
    kind,
    run: 1,
    action: "create",
    title: 'Set up: "it"',
    state: "open",
    file,
  });
  expect(proposal).not.toHaveProperty("body");
  const whole = await rig.client.get<ProposalText>(`/api/proposals/${proposal?.id}`);
  expect(whole).toEqual({ ...proposal, body: "\nProposed by the demo agent.\n" });
  const [event] = worker.all("proposals_created");
  expect(event).toMatchObject({ run: 1, open: 1, superseded: 0, invalid: 0 });
  expect((await worker.get()).worker).toMatchObject({ mode, proposals: { open: 1, invalid: 0 } });
  // Everything else was denied, and nothing is committed.
  const resolved = worker.all("interaction_resolved").map(({ resolution, by }) => `${resolution} ${by}`);
  expect(resolved).toEqual([
    ...["approved rule:worker-output", "denied rule:worker-mode"],
    ...["denied rule:worker-mode", "approved rule:worker-output"],
  ]);
  expect(await worker.git("status", "--porcelain")).toBe("");
  expect(worker.all("commits")).toEqual([]);
});

const outside = usually(1, { inSoak: modes.length });

test.each(modes.slice(0, outside))(
  "what a %s worker changes without asking is put back",
  async (mode, kind) => {
    await using rig = await worktreesOn(shared);
    const propose = `mkdir -p .drover/output/${kind}s; echo '# One' > .drover/output/${kind}s/one.md`;
    const done = `echo '{"status":"done"}' > .drover/output/signal.json`;
    const change = "echo two > kept.txt; rm sub/inner.txt; mkdir new; echo x > new/file";
    await using worker = await spawn(rig, `${change}; ${propose}; ${done}`, { mode, agent: "unasked" });
    expect(await worker.ended()).toMatchObject({ ok: true });
    expect(await worker.git("status", "--porcelain")).toBe("");
    expect(await readdir(worker.tree)).not.toContain("new");
    const files = ["kept.txt", "new/file", "sub/inner.txt"];
    expect(notices(worker, "OUTPUT_IGNORED")).toMatchObject([{ facts: { files, count: 3 } }]);
    expect(await proposalsOf(rig, worker.id)).toMatchObject([{ title: "One", state: "open" }]);
    expect((await worker.get()).permissionMode).toBe("ask");
  },
);

test("what a program that cannot ask changes is put back, also if it fails", async () => {
  await using rig = await worktreesOn(shared);
  const done = `write .drover/output/signal.json {"status":"done"}`;
  const task = { mode: "discuss", agent: "edits" };
  await using worker = await spawn(rig, `write kept.txt two\n${done}`, task);
  expect(await worker.ended()).toMatchObject({ ok: true });
  expect((await worker.get()).permissionMode).toBe("acceptEdits");
  await worker.send("delete kept.txt\ndie");
  await worker.ended(2);
  expect(await worker.git("status", "--porcelain")).toBe("");
  expect(notices(worker, "OUTPUT_IGNORED").length).toBeGreaterThan(1);
  expect(await worker.openInteractions()).toEqual([]);
});

test("a plan without a phase is not done: its worker is reminded of what is wrong", async () => {
  await using rig = await worktreesOn(shared);
  const bad = "write .drover/output/phases/bad.md ---";
  await using worker = await spawn(rig, `propose task Too early\n${bad}\nsignal done`, { mode: "plan" });
  await worker.ended();
  expect(worker.signals()).toEqual([]);
  const [reminder] = notices(worker, "INSTRUCTED");
  expect(reminder?.message).toContain("at least one phase");
  expect(reminder?.message).toContain("phases/bad.md cannot be used");
  expect(await proposalsOf(rig, worker.id)).toEqual([]);
});

test("a worker that keeps saying it is done without what its mode brings has failed", async () => {
  await using rig = await worktreesOn(shared);
  await using worker = await spawn(rig, "anything", { mode: "detail", agent: "lingers" });
  const failed = { code: "OUTPUT_MISSING" };
  expect(await worker.ended()).toMatchObject({ ok: false, reason: "error", error: failed });
  expect(notices(worker, "INSTRUCTED")).toHaveLength(1);
  await until(async () => (await worker.get()).state === "crashed");
  expect((await worker.get()).reason).toMatchObject(failed);
});

test("a later run replaces what an earlier one proposed, and a failed one does not", async () => {
  await using rig = await worktreesOn(shared);
  const prompt = "propose decision One\npropose decision one\npropose decision Two\nsignal questions Go on?";
  await using worker = await spawn(rig, prompt, { mode: "discuss" });
  await worker.ended();
  const states = async () =>
    (await proposalsOf(rig, worker.id)).map(({ state, title }) => `${title}: ${state}`);
  // The demo agent gives the second file the first one's name.
  expect(await states()).toEqual(["one: open", "Two: open"]);
  await worker.post("resume", { answers: { q1: "propose phase Wrong\nsignal error no" } });
  await worker.ended(2);
  expect(await states()).toEqual(["one: open", "Two: open"]);
  await worker.send("propose decision Three\npropose phase Wrong\nsignal done");
  await worker.ended(3);
  expect(await states()).toEqual(["one: superseded", "Two: superseded", "Three: open"]);
  expect(worker.all("proposals_created").at(-1)).toMatchObject({ run: 3, open: 1, superseded: 2 });
  expect(notices(worker, "OUTPUT_IGNORED")).toMatchObject([{ facts: { file: ".drover/output/phases" } }]);
});

test("proposals outlive their worktree, and only a person deletes them", async () => {
  await using rig = await worktreesOn(shared);
  await using worker = await spawn(rig, "propose page Home\nsignal done", { mode: "refine" });
  await worker.ended();
  const [proposal] = await proposalsOf(rig, worker.id);
  const path = `/api/proposals/${proposal?.id}`;
  await using shell = await openShell(rig);
  expect((await inside(rig, shell, [{ method: "DELETE", path }])).map(isRefused)).toEqual([true]);
  await rig.client.delete(worker.path("?force=1"));
  expect(await proposalsOf(rig, worker.id)).toEqual([proposal]);
  expect(await rig.client.delete(path)).toEqual({ deleted: true });
  expect(await proposalsOf(rig, worker.id)).toEqual([]);
  for (const method of ["GET", "DELETE"])
    expect(await rig.client.ask(method, path)).toMatchObject({ status: 404, body: { what: "proposal" } });
});

test("a worker that only reads takes no other permission mode", async () => {
  await using rig = await worktreesOn(shared);
  const body = { agent: "demo", cwd: rig.work, prompt: "signal done", mode: "plan", permissionMode: "never" };
  const unsupported = { status: 400, body: { code: "UNSUPPORTED", what: "permissionMode never" } };
  expect(await rig.client.ask("POST", "/api/workers", { body })).toMatchObject(unsupported);
  await using worker = await spawn(rig, "propose phase One\nsignal done", { mode: "plan" });
  const patch = { body: { permissionMode: "never" } };
  expect(await rig.client.ask("PATCH", worker.path(), patch)).toMatchObject(unsupported);
  await worker.ended();
});

test("a worker that removes what Drover gave it has left nothing", async () => {
  await using rig = await worktreesOn(shared);
  const task = { mode: "plan", agent: "unasked" };
  await using worker = await spawn(rig, "chmod -R u+w .drover; rm -r .drover", task);
  expect(await worker.ended()).toMatchObject({ error: { code: "SIGNAL_MISSING" } });
  expect(await proposalsOf(rig, worker.id)).toEqual([]);
});
