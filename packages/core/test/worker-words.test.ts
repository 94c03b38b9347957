import { emptyTimeline, extend, type SessionEvent, type WorkerReport } from "@drover/core";
import { expect, test } from "vitest";

const envelope = {
  ...{ seq: 7, from: 7, at: "2026-01-01T00:00:00.000Z" },
  ...{ sessionId: "ses_01hv0000000000000000000001", turnId: "trn_1" },
};
type Body<R> = R extends WorkerReport ? Omit<R, keyof typeof envelope> : never;

const head = "abcdef0123456789";
const table: readonly (readonly [Body<WorkerReport>, string])[] = [
  [{ type: "signal", run: 1, status: "done", tries: 1 }, "The worker reported that it is done."],
  [
    { type: "signal", run: 1, status: "done", tries: 2 },
    "The worker reported that it is done, in attempt 2.",
  ],
  [{ type: "signal", run: 1, status: "questions", tries: 1 }, "The worker asked questions."],
  [
    { type: "signal", run: 1, status: "error", error: "No luck", tries: 1 },
    "The worker reported an error: No luck",
  ],
  [{ type: "commits", head, count: 1, byDrover: true }, "Drover committed the work as abcdef0."],
  [{ type: "commits", head, count: 1, byDrover: false }, "The worker committed abcdef0."],
  [{ type: "commits", head, count: 3, byDrover: false }, "The branch has 3 new commits, up to abcdef0."],
  [
    { type: "commits", head, count: 3, byDrover: true },
    "The branch has 3 new commits, up to abcdef0, the last one by Drover.",
  ],
  [
    { type: "proposals_created", run: 1, open: 1, superseded: 0, invalid: 0 },
    "The worker left 1 new proposal.",
  ],
  [
    { type: "proposals_created", run: 2, open: 3, superseded: 2, invalid: 1 },
    "The worker left 3 new proposals, 2 replaced, 1 that can't be used.",
  ],
];

test.each(table)("%o is a notice in the transcript that reads: %s", (body, text) => {
  const { changed } = extend(emptyTimeline, { ...envelope, ...body } as SessionEvent);
  const code = body.type.toUpperCase();
  expect(changed.map(({ item }) => item)).toMatchObject([{ kind: "notice", status: "complete", code, text }]);
});
