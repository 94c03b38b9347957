import { type Rejection, type Result, reject } from "@drover/core";

export const noCheckpoint = (turnId: string): Result<never, Rejection> =>
  reject(
    "NOT_FOUND",
    `There are no checkpoints before and after ${turnId}: it is not a turn of this session, the session is in no git repository, or they were skipped`,
    { what: "checkpoint" },
  );

export const noRepository = (path: string): Result<never, Rejection> =>
  reject("UNSUPPORTED", `${path} is in no git repository that Drover keeps checkpoints of`, {
    what: "checkpoint",
  });

export const allSkipped = (): Result<never, Rejection> =>
  reject("NOT_FOUND", "This session has no checkpoints yet: all of them were skipped", {
    what: "checkpoint",
  });

export const notComparable = (name: string, other: string): Result<never, Rejection> =>
  reject(
    "UNSUPPORTED",
    `${name} and ${other} do not both work in worktrees of one repository, so their work cannot be compared`,
    { what: "with" },
  );
