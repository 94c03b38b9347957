import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Interaction } from "@drover/core";
import { until } from "../kit/until.ts";
import { jsonl } from "./jsonl-programs.ts";
import { type Conversation, heldIn, type Rig } from "./support.ts";
import { type WorktreeRig, worktreesOn } from "./worktree-rig.ts";

/** An agent that can't ask, with a sandbox of its own. */
export const editing = (home: string) => ({
  ...jsonl("jsonl-edits.mjs", ...heldIn(home)),
  modeArgs: {
    ask: ["--may", "read"],
    plan: ["--may", "read"],
    acceptEdits: ["--may", "write"],
    never: ["--may", "write"],
  },
  sandboxArgs: ["--may", "write"],
});

export const inGate = { workspace: "worktree", permissionMode: "ask" } as const;

/** The open approval of what the last turn changed. */
export const gateOf = (session: Conversation): Promise<Interaction> =>
  until(async () => (await session.openInteractions()).find(({ toolKind }) => toolKind === "changes"), {
    what: "the changes are up for approval",
  });

/** A repository on a shared server, with a git identity as a person has one. */
export async function openGated(shared: Rig): Promise<WorktreeRig> {
  const rig = await worktreesOn(shared);
  await rig.git("config", "user.name", "A Person");
  await rig.git("config", "user.email", "person@example.com");
  return rig;
}

/** Reads the files of a worktree; undefined if there is none. */
export const fileIn = (rig: WorktreeRig, name: string) => (path: string) =>
  readFile(join(rig.treeOf(name), path), "utf8").catch(() => undefined);

const deciding =
  (what: "approve" | "deny") => (rig: WorktreeRig, session: Conversation, body: Record<string, unknown>) =>
    rig.client.ask<Record<string, unknown>>("POST", session.path(`/${what}`), { body });
export const approve = deciding("approve");
export const deny = deciding("deny");
