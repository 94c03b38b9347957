import type { PermissionMode, SessionStateName } from "@drover/core";

// Core has these lists as values, too, but with them comes zod: half of what a short command takes to start.
// The types keep the lists complete.

export const permissionModes = Object.keys({
  ask: 0,
  plan: 0,
  acceptEdits: 0,
  never: 0,
} satisfies Record<PermissionMode, 0>);

/** `queued` is refused by the server, which knows why. */
export const sessionStates = Object.keys({
  starting: 0,
  running: 0,
  waiting_for_input: 0,
  waiting_for_quota: 0,
  stalled: 0,
  idle: 0,
  stopping: 0,
  stopped: 0,
  crashed: 0,
  queued: 0,
} satisfies Record<SessionStateName | "queued", 0>);
