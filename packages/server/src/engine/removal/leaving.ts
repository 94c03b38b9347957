import type { Rejection } from "@drover/core";
import type { SessionWorkspace } from "../../ports.ts";

/** The workspace that a removed session leaves. */
export interface Leaving {
  readonly workspace: SessionWorkspace;
  /** Keeps what only the workspace has, or says why the session can't be removed. */
  readonly keep: () => Promise<Rejection | undefined>;
}
