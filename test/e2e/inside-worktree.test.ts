// What a session's process in a worktree may have other sessions do: nothing that people would not see in its review.
import type { Session } from "@drover/core";
import { expect, test } from "vitest";
import {
  type Attempt,
  commandFor,
  inside,
  insideAgents,
  isRefused,
  type Outcome,
  openShell,
} from "./inside.ts";
import { sharedRig } from "./shared-rig.ts";
import { readJson } from "./support.ts";
import { quick, spawn } from "./worker-rig.ts";
import { type WorktreeRig, worktreesOn } from "./worktree-rig.ts";

/** A program that cannot ask: it runs the message as a command, and says that it is done. */
const runs = `
  eval "$(sed -n '/^\\[MESSAGE/,$p' | tail -n +2)"
  printf '\\n%s\\n%s\\n%s\\n' '\`\`\`drover-signal' '{"status": "done"}' '\`\`\`'`;

const shared = sharedRig({
  agents: { ...insideAgents, runs: { driver: "text", command: "bash", args: ["-c", runs] } },
  config: quick,
});

const creating = (rig: WorktreeRig, fields: object): Attempt => ({
  method: "POST",
  path: "/api/sessions",
  body: { agent: "shell", cwd: rig.work, permissionMode: "acceptEdits", ...fields },
});

test("H7 a session's process in a worktree cannot have files of the checkout edited unasked", async () => {
  await using rig = await worktreesOn(shared);
  await using own = await openShell(rig, { workspace: "worktree", permissionMode: "acceptEdits" });
  const body = { agent: "shell", cwd: rig.work, permissionMode: "acceptEdits" };
  const { id } = await rig.client.post<Session>("/api/sessions", body);
  const outcomes = await inside(rig, own, [
    creating(rig, {}),
    creating(rig, { cwd: rig.treeOf((await own.get()).name) }),
    { method: "POST", path: `/api/sessions/${id}/messages`, body: { content: "true" } },
    creating(rig, { permissionMode: "ask" }),
    creating(rig, { workspace: "worktree" }),
    { method: "POST", path: own.path("/fork"), body: { workspace: "worktree" } },
  ]);
  expect(outcomes.map(isRefused)).toEqual([true, true, true, false, false, false]);
});

test("H7 a worker that only reads cannot have files edited by a session of its own", async () => {
  await using rig = await worktreesOn(shared);
  const { id } = await rig.client.post<Session>("/api/sessions", {
    ...{ agent: "runs", cwd: rig.work, permissionMode: "acceptEdits", workspace: "worktree" },
  });
  const { command, output } = await commandFor(rig, [
    creating(rig, { agent: "runs" }),
    creating(rig, { agent: "runs", workspace: "worktree" }),
    { method: "POST", path: `/api/sessions/${id}/messages`, body: { content: "true" } },
    { method: "POST", path: "/api/sessions/reader/fork", body: { workspace: "worktree" } },
    { method: "PATCH", path: "/api/sessions/reader", body: { title: "mine" } },
  ]);
  await using worker = await spawn(rig, command, { agent: "runs", mode: "discuss", name: "reader" });
  expect(await worker.ended()).toMatchObject({ ok: true });
  expect((await worker.get()).permissionMode).toBe("acceptEdits");
  const outcomes = await readJson<Outcome[]>(output);
  expect(outcomes.map(isRefused)).toEqual([true, true, true, true, false]);
});
