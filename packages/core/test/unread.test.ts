import { isUnread } from "@drover/core";
import { describe, expect, it } from "vitest";
import { TestSession } from "./test-session.ts";

describe("a session is unread", () => {
  it("from the end of a turn until it is seen up to there, also while the next turn runs", () => {
    const session = new TestSession();
    expect(isUnread(session.state, 0)).toBe(false);
    session.send("one");
    session.finish();
    const end = session.state.lastSeq;
    session.send("two");
    expect(isUnread(session.state, end - 1)).toBe(true);
    expect(isUnread(session.state, end)).toBe(false);
  });

  it("after a turn that failed, but not after one that a person interrupted", () => {
    const session = new TestSession();
    session.send("one");
    session.interrupt();
    expect(session.state.lastTurn?.reason).toBe("cancelled");
    expect(isUnread(session.state, 0)).toBe(false);
    session.send("two");
    session.settle({ type: "answered", reason: "refusal" });
    expect(isUnread(session.state, 0)).toBe(true);
  });
});
