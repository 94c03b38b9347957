import type { Resolution } from "@drover/core";

/** Why something was not done, in words for a person. `code` is the server's, or one of the page's own two. */
export interface Problem {
  readonly code: string;
  readonly message: string;
  /** With `ALREADY_RESOLVED`: what was decided, by whom and when. */
  readonly resolution?: Resolution;
  readonly by?: string;
  readonly at?: string;
}

/** No answer came. Whether the request was carried out is not known. */
export const offline: Problem = {
  code: "OFFLINE",
  message: "The connection to Drover was lost before it answered. Try again once it is back.",
};
