import { Fault } from "@drover/core";
import { expect, test } from "vitest";
import { until } from "../../../../test/kit/until.ts";
import type { AgentConnection } from "../../src/ports.ts";
import { but, granted, Staged } from "./support.ts";

async function textOf(staged: Staged, id: string): Promise<string> {
  const { items } = granted(await staged.service.sessions.items(id, { limit: 500 }));
  return items.map(({ kind, text }) => (kind === "text" ? text : "")).join("");
}

test("N1 an agent that prints a banner of 120 lines before it is ready gets its prompt, and one notice says so", async () => {
  await using staged = await Staged.open({ agent: "noisy-start" });
  const { id } = await staged.create();
  await staged.send(id, "hello");
  const { lastTurn } = await staged.when(id, ({ turn, lastTurn: last }) => !turn && last !== undefined);
  expect(lastTurn).toMatchObject({ reason: "end_turn", ok: true });
  expect(await textOf(staged, id)).toBe("heard: hello");
  const { items } = granted(await staged.service.sessions.items(id, { limit: 500 }));
  const notices = items.filter(({ kind }) => kind === "notice").map(({ text }) => text);
  expect(notices).toEqual([
    "Test Agent printed text before it was ready; all of it is in the raw log",
    "Test Agent wrote a line that is not a message; it is only in the raw log",
  ]);
});

test("a prompt is found by its number no matter how much has been recorded since it was accepted", async () => {
  const notices = Array.from(
    { length: 50 },
    (_, n) => ({ type: "notice", code: "BAD_LINE", message: `notice ${n}`, facts: {} }) as const,
  );
  await using staged = await Staged.open({
    agent: "echo",
    beforeOpen: (host) => host.record({ facts: notices, position: 0 }),
  });
  const { id } = await staged.create();
  await staged.send(id, "hello");
  const { lastTurn } = await staged.when(id, ({ turn, lastTurn: last }) => !turn && last !== undefined);
  expect(lastTurn).toMatchObject({ reason: "end_turn", ok: true });
});

test("a prompt that a running agent refuses ends its turn with the reason, and the next turn works", async () => {
  let refusals = 0;
  const connection = (real: AgentConnection): AgentConnection =>
    but(real, {
      prompt: (turnId, content) => {
        if (refusals > 0) return real.prompt(turnId, content);
        refusals += 1;
        return Promise.reject(new Fault("AGENT_UNREACHABLE", "Test Agent does not accept input"));
      },
    });
  await using staged = await Staged.open({ agent: "echo", connection });
  const { id } = await staged.create();
  await staged.send(id, "lost");
  const failed = await staged.when(id, ({ turn, lastTurn }) => !turn && lastTurn !== undefined);
  expect(failed.lastTurn).toMatchObject({ ok: false, message: "Test Agent does not accept input" });
  const { turnId } = await staged.send(id, "again");
  const after = await staged.when(id, ({ lastTurn }) => lastTurn?.id === turnId);
  expect(after).toMatchObject({ run: 2, lastTurn: { ok: true } });
});

test("an idle process is not ended while a prompt is on its way to it", async () => {
  const calls: string[] = [];
  const connection = (real: AgentConnection): AgentConnection =>
    but(real, {
      keep: () => {
        calls.push("keep");
        return { [Symbol.dispose]: () => void calls.push("release") };
      },
      prompt: async (turnId, content) => {
        calls.push("prompt");
        await real.prompt(turnId, content);
        calls.push("written");
      },
    });
  await using staged = await Staged.open({ agent: "echo", connection });
  const { id } = await staged.create();
  await staged.send(id, "hello");
  await staged.when(id, ({ lastTurn }) => lastTurn?.ok === true);
  await until(() => calls.includes("release"), { what: "the process is released" });
  expect(calls).toEqual(["keep", "prompt", "written", "release"]);
});
