import { emptyState, evolve, isUnread, type ReviewState, type SessionState } from "@drover/core";
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

  it("from the opening of its review, and again when that opens once more", () => {
    const facts = { ahead: 1, behind: 0, files: 1, added: 1, removed: 0, work: "one" };
    const review = (state: SessionState, seq: number, name: ReviewState): SessionState =>
      evolve(state, {
        ...{ type: "review", seq, from: seq, at: "", sessionId: "ses_1" },
        ...{ ...facts, state: name },
      });
    const opened = review({ ...emptyState, endedSeq: 3, lastSeq: 3 }, 4, "open");
    expect([3, 4].map((seen) => isUnread(opened, seen))).toEqual([true, false]);
    const changed = review(opened, 5, "open");
    expect(isUnread(changed, 4)).toBe(false);
    const accepted = review(changed, 6, "accepted");
    expect(isUnread(accepted, 4)).toBe(false);
    expect(isUnread(review(accepted, 7, "open"), 6)).toBe(true);
  });
});
