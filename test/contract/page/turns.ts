import {
  type EventType,
  eventTable,
  type History,
  interactionSchema,
  itemSchema,
  type Queue,
  queueSchema,
  type Receipt,
  type Session,
  type SessionEvent,
  sessionSchema,
} from "@drover/core";
import { expect, test } from "vitest";
import { z } from "zod";
import { checkAnswer } from "../../kit/answers.ts";
import type { Socket } from "../../kit/socket.ts";
import type { Page } from "../page-server.ts";

const historySchema = z.object({
  sessionId: z.string(),
  session: sessionSchema,
  entries: z.array(itemSchema),
  before: z.number().optional(),
  cursor: z.number(),
  reset: z.boolean().optional(),
  interactions: z.array(interactionSchema),
  queue: queueSchema,
});

async function open(socket: Socket, sessionId: string, fields: { after?: number } = {}): Promise<History> {
  const { type, requestId: _, ...history } = await socket.request("session:open", { sessionId, ...fields });
  expect(type).toBe("session:history");
  checkAnswer({ name: "session:history", output: historySchema }, history);
  return history as unknown as History;
}

/** The session's events since a frame, checked to be in order and without a gap after `cursor`. */
function eventsOf(
  socket: Socket,
  sessionId: string,
  { cursor, since = 0 }: { cursor: number; since?: number },
) {
  let last = cursor;
  return socket.frames.slice(since).flatMap((frame) => {
    if (frame.type !== "session:event" || frame["sessionId"] !== sessionId) return [];
    const { event, seq, from } = frame as unknown as { event: SessionEvent; seq: number; from: number };
    expect([event.seq, event.from, event.sessionId, from]).toEqual([seq, from, sessionId, last + 1]);
    eventTable[event.type as EventType].body.parse(event);
    last = seq;
    return [event];
  });
}

export function turnsContract(current: () => Page): void {
  test("an open session sends every event of a turn, and lists are notified of its start and end", async () => {
    const { socket, newSession, send, ask } = current();
    const session = await newSession();
    const { id } = session;
    const { cursor, entries } = await open(socket, id);
    expect(entries).toEqual([]);
    const receipt = await send(session, "say Hello there");
    expect(receipt).toMatchObject({
      sessionId: id,
      applied: "started",
      requested: "queue",
      queuePosition: 0,
      cursor,
    });
    for (const phase of ["started", "ended"])
      await socket.until(
        (frame) =>
          frame.type === "session:turn" && frame["turnId"] === receipt.turnId && frame["phase"] === phase,
      );
    await socket.until(
      (frame) =>
        (frame["event"] as SessionEvent | undefined)?.turnId === receipt.turnId &&
        (frame["event"] as SessionEvent).type === "done",
    );
    const events = eventsOf(socket, id, { cursor });
    expect(events.slice(0, 2).map(({ type }) => type)).toEqual(["turn_start", "message"]);
    expect(events.at(-1)).toMatchObject({ type: "done", reason: "end_turn", ok: true });
    const { items } = await ask<{ items: { kind: string; text: string }[] }>(
      "GET",
      `/api/sessions/${id}/messages`,
    );
    expect(items).toMatchObject([
      { kind: "user", text: "say Hello there" },
      { kind: "text", text: expect.stringContaining("Hello there"), status: "complete" },
    ]);
    await socket.until(
      ({ type, session: news }) =>
        type === "session_upserted" &&
        (news as Session).id === id &&
        (news as Session).lastTurn !== undefined,
    );
    // A session without a title is named after its first message.
    expect(await ask("GET", `/api/sessions/${id}`)).toMatchObject({
      state: "idle",
      title: "say Hello there",
    });
  });

  test("opening with a cursor sends what came after it; an unknown cursor starts over", async () => {
    const { socket, newSession, send } = current();
    const session = await newSession();
    const { id } = session;
    // A session may begin with notices.
    const after = (await open(socket, id)).cursor + 1;
    await send(session, "say One");
    await socket.until((frame) => isDone(frame, id));
    await socket.request("session:close", { sessionId: id });
    const closedAt = socket.frames.length;
    const { turnId } = await send(session, "say Two");
    await socket.until(
      (frame) => frame.type === "session:turn" && frame["turnId"] === turnId && frame["phase"] === "ended",
    );
    expect(eventsOf(socket, id, { cursor: 0, since: closedAt })).toEqual([]);

    const since = socket.frames.length;
    const resumed = await open(socket, id, { after });
    expect(resumed).toMatchObject({ entries: [], cursor: after });
    expect(resumed).not.toHaveProperty("reset");
    await socket.until(
      (frame) => socket.frames.indexOf(frame) >= since && isDone(frame, id, resumed.session.lastSeq),
    );
    expect(eventsOf(socket, id, { cursor: after, since })[0]).toMatchObject({ type: "message" });

    const reset = await open(socket, id, { after: 1_000_000 });
    expect(reset).toMatchObject({ reset: true, cursor: reset.session.lastSeq });
    expect(reset.entries.length).toBeGreaterThanOrEqual(4);
  });

  test("the same clientMessageId gets the same receipt, and a different text is refused", async () => {
    const { socket, newSession, send } = current();
    const session = await newSession();
    const clientMessageId = `once-${session.id}`;
    const first = await send(session, "say Once", { clientMessageId });
    expect(await send(session, "say Once", { clientMessageId })).toEqual(first);
    const other = { sessionId: session.id, content: "say Twice", clientMessageId };
    expect(await socket.request("session:send", other)).toMatchObject({
      type: "error",
      code: "IDEMPOTENCY_CONFLICT",
    });
  });

  test("messages wait in a queue, where they can be edited, moved and removed", async () => {
    const page = current();
    const { http, newSession, send, ask } = page;
    const session = await newSession();
    const at = `/api/sessions/${session.id}/queue`;
    const running = await send(session, "hang");
    const first = await send(session, "say One");
    const second = await send(session, "say Two", { disposition: "steer" });
    expect(first).toMatchObject({ applied: "queued", queuePosition: 1 });
    expect(second).toMatchObject({ applied: "queued", requested: "steer", degradedBecause: "unsupported" });
    const edited = await ask<Queue>("PATCH", `${at}/${first.messageId}`, { content: "say 1" });
    expect(edited.messages.map(({ content }) => content)).toEqual(["say 1", "say Two"]);
    const moved = await ask<Queue>("PATCH", `${at}/${second.messageId}`, {
      move: { before: first.messageId },
    });
    expect(moved.messages.map(({ content }) => content)).toEqual(["say Two", "say 1"]);
    const left = await ask<Queue>("DELETE", `${at}/${second.messageId}`);
    expect(await ask("GET", at)).toEqual(left);
    expect(left).toMatchObject({ paused: false, messages: [{ messageId: first.messageId }] });
    for (const { messageId } of [running, second] satisfies Receipt[])
      expect(await http.ask("DELETE", `${at}/${messageId}`)).toMatchObject({
        status: 409,
        body: { code: "NOT_QUEUED" },
      });

    expect(await page.request("session:cancel", { sessionId: session.id })).toMatchObject({
      turnId: running.turnId,
    });
    const paused = ({ type, session: news }: { type: string; session?: unknown }) =>
      type === "session_upserted" && (news as Session).id === session.id && (news as Session).queuePaused;
    await page.socket.until(paused);
    expect(await ask<Session>("POST", `/api/sessions/${session.id}/resume`)).toMatchObject({
      queuePaused: false,
    });
    await page.socket.until(
      ({ type, phase, sessionId, turnId }) =>
        type === "session:turn" &&
        phase === "started" &&
        sessionId === session.id &&
        turnId !== running.turnId,
    );
  });
}

function isDone(frame: { type: string; [key: string]: unknown }, sessionId: string, seq?: number): boolean {
  const event = frame["event"] as SessionEvent | undefined;
  return (
    frame.type === "session:event" &&
    event?.sessionId === sessionId &&
    (seq === undefined ? event.type === "done" : event.seq === seq)
  );
}
