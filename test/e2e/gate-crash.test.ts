// The server is killed while it finds out what a turn changed, asks for approval, and puts files back.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { until } from "../kit/until.ts";
import { atEveryCommand, deadlyCommits, deadlyGit } from "./deadly-git.ts";
import { editing, inGate } from "./gated-agent.ts";
import { type Conversation, openSession } from "./support.ts";
import { openWorktreeRig, type WorktreeRig } from "./worktree-rig.ts";

/** A turn that changes a file, which is denied with a reason. Calling it again does only what is missing. */
async function play(rig: WorktreeRig, session: Conversation, round: number): Promise<void> {
  await session.send(`write new.txt ${round}`, `change ${round}`);
  const { messageId } = await session.send(`say ${round}`, `after ${round}`);
  await until(
    async () => {
      const [gate] = await session.openInteractions();
      const body = { toolCallId: gate?.id, reason: `because ${round}` };
      // If a denial was cut off, the server finishes it, and this one comes too late.
      if (gate) await rig.client.ask("POST", session.path("/deny"), { body });
      const start = session.all("turn_start").find((event) => event.messageId === messageId);
      return session.all("done").some(({ turnId }) => turnId === start?.turnId);
    },
    { what: "the queue has gone on" },
  );
}

function expectOnce(session: Conversation, round: number): void {
  const sent = (content: string) => session.all("message").filter((event) => event.content === content);
  const [{ turnId } = { turnId: undefined }, ...more] = sent(`write new.txt ${round}`);
  const done = session.all("done").filter((event) => event.turnId === turnId);
  const gates = session.all("approval_required").filter((event) => event.turnId === turnId);
  const { length } = gates;
  expect([more, done.length]).toEqual([[], 1]);
  // If it is unknown whether the prompt arrived, there may be nothing to approve.
  if (done[0]?.reason !== "uncertain") expect(length).toBe(1);
  expect(sent(`because ${round}`)).toHaveLength(length);
  const resolved = session
    .all("interaction_resolved")
    .filter(({ interactionId }) => gates.some(({ id }) => id === interactionId));
  expect(resolved.map(({ resolution }) => resolution)).toEqual(gates.map(() => "denied"));
  const changes = session.all("turn_changes");
  expect(changes.filter((event) => event.turnId === turnId)).toHaveLength(length);
  expect(changes.filter(({ reverts }) => reverts === turnId)).toHaveLength(length);
}

for (const [what, options] of [
  ["git command", (home: string) => deadlyGit()(home)],
  ["commit", () => deadlyCommits()],
] as const) {
  test(`V7 kill -9 at any ${what} of a turn and its denial: asked once, decided once, and the files are back`, {
    timeout: 600_000,
  }, async () => {
    await using rig = await openWorktreeRig(async (home) => ({
      ...(await options(home)),
      agents: { kit: editing(home) },
    }));
    await using session = await openSession(rig, "kit", { ...inGate, name: "fox" });
    let round = 0;
    const steps = await atEveryCommand(rig, {
      prepare: async () => {
        round += 1;
      },
      attempt: () => play(rig, session, round),
      check: async () => {
        await play(rig, session, round);
        expectOnce(session, round);
        expect(existsSync(join(rig.treeOf("fox"), "new.txt"))).toBe(false);
        expect(await rig.git("fsck", "--no-dangling")).toBe("");
      },
    });
    expect(steps).toBeGreaterThan(20);
  });
}
