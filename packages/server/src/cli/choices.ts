import type { Comparison, PermissionMode, ReviewState, SessionStateName, WorkerMode } from "@drover/core";

// Core exports these lists, too, but importing its values loads zod, which takes half the start time of a short
// command. The types keep the lists complete.

export const permissionModes = Object.keys({
  ask: 0,
  plan: 0,
  acceptEdits: 0,
  never: 0,
} satisfies Record<PermissionMode, 0>);

export const sessionStates = Object.keys({
  queued: 0,
  starting: 0,
  running: 0,
  waiting_for_input: 0,
  waiting_for_quota: 0,
  stalled: 0,
  idle: 0,
  stopping: 0,
  stopped: 0,
  crashed: 0,
} satisfies Record<SessionStateName, 0>);

export const reviewStates = Object.keys({
  open: 0,
  changes_requested: 0,
  accepted: 0,
  merging: 0,
  merged: 0,
  rejected: 0,
} satisfies Record<Exclude<ReviewState, "none">, 0>);

export const workerModes = Object.keys({
  execute: 0,
  discuss: 0,
  plan: 0,
  detail: 0,
  refine: 0,
} satisfies Record<WorkerMode, 0>);

export const comparisons = Object.keys({ head: 0, start: 0, base: 0 } satisfies Record<Comparison, 0>);
