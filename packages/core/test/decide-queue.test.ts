import { stateName } from "@drover/core";
import { describe, expect, it } from "vitest";
import { TestSession } from "./test-session.ts";

describe("the queue", () => {
  function queued() {
    const session = new TestSession();
    session.send("one");
    const two = session.send("two")?.messageId ?? "";
    const three = session.send("three")?.messageId ?? "";
    return { session, two, three };
  }

  it("runs the next message when a turn ends", () => {
    const { session } = queued();
    session.finish();
    session.do({ type: "start_next" });
    expect(session.state.queue.map((m) => m.content)).toEqual(["three"]);
    expect(session.events.at(-1)).toMatchObject({ type: "message", content: "two" });
  });

  it("attributes a message to the last person who edited its text, not to one who moved it", () => {
    const { session, two, three } = queued();
    const edit = { type: "edit_queued", messageId: two, by: "agent:ses_1" } as const;
    session.do({ ...edit, messageId: three, edit: { move: { before: two } } });
    session.do({ ...edit, edit: { content: "run rm" } });
    expect(session.state.queue.map(({ content, by }) => [content, by])).toEqual([
      ["three", session.state.queue[0]?.by],
      ["run rm", "agent:ses_1"],
    ]);
    expect(session.state.queue[0]?.by).not.toBe("agent:ses_1");
  });

  it("keeps the images of a message when it is edited, moved and started", () => {
    const session = new TestSession();
    session.send("one");
    const two = session.send("two")?.messageId ?? "";
    const image = { id: "a", name: "dot.png", mediaType: "image/png", size: 1 } as const;
    const messageId = session.send("look", { attachments: [image] })?.messageId ?? "";
    session.do({
      type: "edit_queued",
      messageId,
      edit: { content: "see", move: { before: two } },
      by: "cli",
    });
    session.finish();
    session.do({ type: "start_next" });
    expect(session.events.at(-1)).toMatchObject({ type: "message", content: "see", attachments: [image] });
  });

  it("lets messages be edited, moved and removed", () => {
    const { session, two, three } = queued();
    session.do({
      type: "edit_queued",
      messageId: two,
      edit: { content: "2", move: { after: three } },
      by: "cli",
    });
    expect(session.state.queue.map((m) => m.content)).toEqual(["three", "2"]);
    session.do({ type: "edit_queued", messageId: two, edit: { move: { before: three } }, by: "cli" });
    session.do({ type: "edit_queued", messageId: two, edit: { move: { after: two } }, by: "cli" });
    expect(session.state.queue.map((m) => m.content)).toEqual(["2", "three"]);
    session.do({ type: "drop_queued", messageId: three });
    expect(session.state.queue.map((m) => m.content)).toEqual(["2"]);
    expect(session.try({ type: "drop_queued", messageId: three })).toMatchObject({
      error: { code: "NOT_QUEUED" },
    });
  });

  it("pauses when Drover gives up on the agent, so that no message starts it again", () => {
    const session = new TestSession();
    session.send("one");
    session.send("two");
    session.do({ type: "give_up", message: "it ended", stderrTail: "its last words" });
    expect(session.types().slice(-3)).toEqual(["error", "queue_update", "session_status"]);
    expect(session.state).toMatchObject({
      queuePaused: true,
      reason: { code: "AGENT_CRASHED", message: "it ended", stderrTail: "its last words" },
    });
    expect(stateName(session.state)).toBe("crashed");
  });

  it("pauses when a turn is interrupted, until a message reaches the idle session with an empty queue", () => {
    const { session, two, three } = queued();
    session.interrupt();
    expect(session.state.queuePaused).toBe(true);
    session.do({ type: "start_next" });
    expect(session.state.turn).toBeUndefined();
    session.do({ type: "drop_queued", messageId: two });
    session.do({ type: "drop_queued", messageId: three });
    expect(session.send("now")).toMatchObject({ applied: "started" });
    expect(session.state.queuePaused).toBe(false);
  });

  it("holds a message until its time, and lets others run meanwhile", () => {
    const session = new TestSession();
    const later = session.send("later", { notBefore: "2026-01-01T01:00:00.000Z" });
    expect(later).toMatchObject({ applied: "queued", queuePosition: 1 });
    session.do({ type: "start_next" });
    expect(session.state.turn).toBeUndefined();
    expect(session.send("now")).toMatchObject({ applied: "started" });
    // Nobody waits for this turn, so interrupting it holds nothing back.
    session.interrupt();
    expect(session.state).toMatchObject({ queuePaused: false, queue: [{ content: "later" }] });
  });

  it("starts a message whose time has come, in its turn", () => {
    const session = new TestSession();
    session.send("one");
    session.send("two", { notBefore: "2025-12-31T23:59:59.000Z" });
    session.finish();
    session.do({ type: "start_next" });
    expect(session.events.at(-1)).toMatchObject({ type: "message", content: "two" });
    expect(session.state.queue).toEqual([]);
  });

  it("cannot hold a message for the running turn", () => {
    const steer = { content: "x", by: "api", requested: "steer", strict: false } as const;
    expect(
      new TestSession().try({ type: "send", ...steer, notBefore: "2026-01-02T00:00:00Z" }),
    ).toMatchObject({ error: { code: "BAD_REQUEST" } });
  });

  it("takes a dropped message back at its place, and stays paused", () => {
    const { session, two, three } = queued();
    session.interrupt();
    session.do({ type: "drop_queued", messageId: two });
    session.do({ type: "enqueue", message: { content: "two", before: three }, by: "web:1" });
    expect(session.state.queue.map((m) => m.content)).toEqual(["two", "three"]);
    session.do({ type: "drop_queued", messageId: three });
    const attachments = [{ id: "a", name: "a.txt", mediaType: "text/plain", size: 1 } as const];
    session.do({ type: "enqueue", message: { content: "three" }, attachments, by: "web:1" });
    expect(session.state).toMatchObject({
      queuePaused: true,
      queue: [{ content: "two" }, { content: "three", attachments }],
    });
    expect(session.try({ type: "enqueue", message: { content: "four" }, by: "web:1" })).toMatchObject({
      error: { code: "QUEUE_FULL" },
    });
  });

  it("rejects a message that goes before one that is not queued", () => {
    const { session, two } = queued();
    session.do({ type: "drop_queued", messageId: two });
    const message = { content: "two", before: "msg_gone" };
    expect(session.try({ type: "enqueue", message, by: "web:1" })).toMatchObject({
      error: { code: "NOT_QUEUED" },
    });
    expect(session.state.queue.map((m) => m.content)).toEqual(["three"]);
  });
});
