import { type Interaction, interactionSchema } from "@drover/core";
import { expect, test } from "vitest";
import { checkAnswer } from "../../kit/answers.ts";
import type { Page } from "../page-server.ts";

export function interactionsContract(current: () => Page): void {
  const settled = ({ socket }: Page, { id }: Interaction) =>
    socket.until(({ type, interactionId }) => type === "interaction_resolved" && interactionId === id);

  test("an approval is announced, listed, and settled exactly once", async () => {
    const page = current();
    const { ask, newSession, request, socket } = page;
    const session = await newSession();
    const asked = await page.asked(session, "run true");
    checkAnswer({ name: "interaction_opened", output: interactionSchema }, asked);
    expect(asked).toMatchObject({
      ...{ kind: "approval", state: "open", sessionId: session.id, sessionName: session.name },
      ...{ agent: "demo", toolKind: "execute", scopes: expect.arrayContaining(["once"]) },
      ...{ input: expect.anything(), inputHash: expect.any(String) },
    });
    const list = `/api/interactions?sessionId=${session.id}`;
    const { interactions } = await ask<{ interactions: Interaction[] }>("GET", list);
    expect(interactions).toMatchObject([{ id: asked.id, inputHash: asked.inputHash }]);
    expect(await ask("GET", `/api/sessions/${session.id}`)).toMatchObject({
      state: "waiting_for_input",
      openInteractions: 1,
    });

    const approval = { sessionId: session.id, toolCallId: asked.id };
    const changed = await socket.request("session:approve", { ...approval, inputHash: "of another input" });
    expect(changed).toMatchObject({ type: "error", code: "INPUT_CHANGED", message: expect.any(String) });
    const approved = await request("session:approve", { ...approval, inputHash: asked.inputHash });
    expect(approved).toMatchObject({
      id: asked.id,
      state: "resolved",
      resolution: "approved",
      scope: "once",
    });
    const news = { resolution: "approved", by: approved["by"], at: approved["at"] };
    expect(await settled(page, asked)).toMatchObject(news);
    const again = await socket.request("session:deny", approval);
    expect(again).toMatchObject({ type: "error", code: "ALREADY_RESOLVED", ...news });
    expect(await ask("GET", `${list}&state=resolved`)).toMatchObject({ interactions: [{ id: asked.id }] });
    expect(await ask("GET", list)).toEqual({ interactions: [] });
  });

  test("an approval is denied with a reason", async () => {
    const page = current();
    const session = await page.newSession();
    const asked = await page.asked(session, "run true");
    const denial = { sessionId: session.id, toolCallId: asked.toolCallId, reason: "not now" };
    const denied = await page.request("session:deny", denial);
    expect(denied).toMatchObject({ id: asked.id, resolution: "denied", reason: "not now" });
    expect(await settled(page, asked)).toMatchObject({ resolution: "denied", reason: "not now" });
  });

  test("a question needs an answer to each of its parts", async () => {
    const page = current();
    const session = await page.newSession();
    const asked = await page.asked(session, "ask Which one? | Red | Blue");
    expect(asked).toMatchObject({ kind: "question", scopes: [] });
    const [question] = asked.questions ?? [];
    expect(question).toMatchObject({
      question: "Which one?",
      options: [{ label: "Red" }, { label: "Blue" }],
    });
    const answer = { sessionId: session.id, toolCallId: asked.id };
    const unanswered = await page.socket.request("session:answer", { ...answer, answers: {} });
    expect(unanswered).toMatchObject({ type: "error", code: "BAD_REQUEST", issues: expect.any(Array) });
    const answers = { [question?.id ?? ""]: "Blue" };
    const answered = await page.request("session:answer", { ...answer, answers });
    expect(answered).toMatchObject({ id: asked.id, resolution: "answered", answers });
    const again = await page.socket.request("session:answer", { ...answer, answers });
    expect(again).toMatchObject({ code: "ALREADY_RESOLVED", resolution: "answered" });
  });

  test("an interaction that was never opened cannot be resolved", async () => {
    const { newSession, socket } = current();
    const { id: sessionId } = await newSession();
    const frames = {
      "session:approve": { what: "approval" },
      "session:deny": { what: "approval" },
      "session:answer": { what: "question", answers: {} },
    };
    for (const [type, { what, ...fields }] of Object.entries(frames))
      expect(await socket.request(type, { sessionId, toolCallId: "nothing", ...fields })).toMatchObject({
        ...{ type: "error", code: "NOT_FOUND", what },
      });
  });

  test("interrupting a turn cancels its open interactions", async () => {
    const page = current();
    const session = await page.newSession();
    const asked = await page.asked(session, "run true");
    await page.request("session:cancel", { sessionId: session.id });
    expect(await settled(page, asked)).toMatchObject({ resolution: "cancelled", cause: "turn_cancelled" });
  });
}
