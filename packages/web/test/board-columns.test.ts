import type { Session } from "@drover/core";
import { describe, expect, test } from "vitest";
import { boardOf, type Column, canBeStopped, columnOf, needingPerson } from "../src/board/columns.ts";
import { FixtureSession } from "./fixture/session.ts";

const at = "2026-01-01T00:00:00.000Z";
const turn = { id: "trn_1", messageId: "msg_1", startedAt: at };
const turnThat = (reason: "end_turn" | "waiting_for_input" | "error" | "cancelled", ok: boolean) => ({
  lastTurn: { id: "trn_1", startedAt: at, endedAt: at, reason, ok },
});
const done = turnThat("end_turn", true);
const failed = turnThat("error", false);
const reviewThat = (state: NonNullable<Session["review"]>["state"]) => ({
  review: { state, ahead: 1, behind: 0, files: 1, added: 1, removed: 0, work: "w" },
});

const worker = (details: Partial<Session> = {}): Session =>
  new FixtureSession({ kind: "worker", state: "idle", ...details }).record();

describe("the column of a worker", () => {
  const table: readonly (readonly [string, Partial<Session>, Column])[] = [
    ["waits for a slot with its task", { state: "queued", turn }, "queued"],
    ["waits for a slot before its first turn", { state: "queued", queued: 1 }, "queued"],
    ["has not begun", {}, "queued"],
    ["has a message that is about to begin", { queued: 1, ...done }, "queued"],
    ["is starting", { state: "starting", turn }, "working"],
    ["is running", { state: "running", turn }, "working"],
    ["is silent", { state: "stalled", turn }, "working"],
    ["waits for its quota", { state: "waiting_for_quota", ...failed }, "working"],
    ["is being stopped", { state: "stopping", turn }, "working"],
    ["works on requested changes", { state: "running", turn, ...reviewThat("changes_requested") }, "working"],
    ["works again after a merge", { state: "running", turn, ...reviewThat("merged") }, "working"],
    ["asks in its turn", { state: "waiting_for_input", turn, openInteractions: 1 }, "needs"],
    [
      "has questions after its turn",
      { state: "waiting_for_input", openInteractions: 1, ...turnThat("waiting_for_input", true) },
      "needs",
    ],
    [
      "was interrupted with more to do",
      { queued: 1, queuePaused: true, ...turnThat("cancelled", false) },
      "needs",
    ],
    ["is done with work to review", { ...done, ...reviewThat("open") }, "review"],
    ["was sent back and left it as it was", { ...done, ...reviewThat("changes_requested") }, "review"],
    ["is accepted", { ...done, ...reviewThat("accepted") }, "review"],
    ["is being merged", { ...done, ...reviewThat("merging") }, "review"],
    ["is done without changes", { ...done, ...reviewThat("none") }, "review"],
    ["is done and was never reviewed", done, "review"],
    [
      "was interrupted with work to review",
      { ...turnThat("cancelled", false), ...reviewThat("open") },
      "review",
    ],
    ["was stopped with work to review", { state: "stopped", ...done, ...reviewThat("open") }, "review"],
    ["is merged", { ...done, ...reviewThat("merged") }, "merged"],
    ["failed and was merged all the same", { ...failed, ...reviewThat("merged") }, "merged"],
    ["failed", failed, "failed"],
    ["failed with work to review", { ...failed, ...reviewThat("open") }, "failed"],
    ["failed and was accepted all the same", { ...failed, ...reviewThat("accepted") }, "review"],
    ["crashed", { state: "crashed", ...failed }, "failed"],
    ["was stopped before it began", { state: "stopped", queued: 1 }, "failed"],
    ["was interrupted without work", turnThat("cancelled", false), "failed"],
    ["was rejected", { ...done, ...reviewThat("rejected") }, "failed"],
  ];
  test.each(table)("one that %s", (_, details, column) => {
    expect(columnOf(worker(details))).toBe(column);
  });
});

describe("the board", () => {
  const older = worker({ createdAt: "2026-01-01T00:00:00.000Z", state: "queued", queued: 1 });
  const newer = worker({ createdAt: "2026-01-02T00:00:00.000Z", state: "queued", queued: 1 });
  const [first, second] = [
    worker({ createdAt: "2026-01-01T00:00:00.000Z", ...done }),
    worker({ createdAt: "2026-01-02T00:00:00.000Z", ...done }),
  ];

  test("shows workers only: the queue in its order, the newest first everywhere else", () => {
    const session = worker({ kind: "session" });
    const { queued, review } = boardOf([session, first, newer, older, second]);
    expect(queued).toEqual([older, newer]);
    expect(review).toEqual([second, first]);
  });

  test("keeps every column in which no worker has changed", () => {
    const before = boardOf([older, newer, first]);
    const changed = { ...first, updatedAt: "2026-01-03T00:00:00.000Z" };
    const after = boardOf([changed, newer, older], before);
    expect(after.queued).toBe(before.queued);
    expect(after.merged).toBe(before.merged);
    expect(after.review).toEqual([changed]);
  });

  test("the next worker is the one that has waited longest for an answer, then an unseen failure, then undecided work", () => {
    const asks = (createdAt: string) => worker({ createdAt, openInteractions: 1 });
    const [early, late] = [asks("2026-01-01T00:00:00.000Z"), asks("2026-01-02T00:00:00.000Z")];
    const broken = worker({ ...failed, unread: true });
    const open = worker({ ...done, ...reviewThat("open") });
    const others = [worker(failed), worker({ ...done, ...reviewThat("accepted") }), worker({ turn })];
    expect(needingPerson([...others, open, broken, late, early])).toEqual([early, late, broken, open]);
  });

  test("stops workers that have something to do", () => {
    expect(canBeStopped(worker({ state: "running", turn }))).toBe(true);
    expect(canBeStopped(older)).toBe(true);
    expect(canBeStopped(worker({ state: "stopped", queued: 1 }))).toBe(false);
    expect(canBeStopped(first)).toBe(false);
  });
});
