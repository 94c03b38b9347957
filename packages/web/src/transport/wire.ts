import type { Resolution } from "@drover/core";

/** An error with a message for people. `code` is the server's, or one of the page's own two. */
export interface Problem {
  readonly code: string;
  readonly message: string;
  /** With `ALREADY_RESOLVED`: what was decided, by whom and when. */
  readonly resolution?: Resolution;
  readonly by?: string;
  readonly at?: string;
  /** With `NAME_TAKEN`: the branch that has the name. */
  readonly branch?: string;
  /** Files in the way, with `REVERT_CONFLICT`, `DISCARD_CONFLICT` and `WORKSPACE_DIRTY`. */
  readonly files?: readonly string[];
}

/** No answer arrived. The request may or may not have been carried out. */
export const offline: Problem = {
  code: "OFFLINE",
  message: "Lost the connection to Drover. Try again when it's back.",
};
