/** A merge that is about to move branches. Stored first, so that a server that was killed can finish it. */
export interface PlannedMerge {
  readonly into: string;
  readonly commit: string;
  /** For the adapter only. */
  readonly plan: unknown;
}

/** An update whose files are about to be written. */
export interface PlannedUpdate {
  readonly from: string;
  /** The commit that it brings: the base from now on. */
  readonly target: string;
  /** The session's new commit; absent if there are conflicts. */
  readonly commit?: string;
  readonly conflicts: readonly string[];
  /** An agent was asked to resolve the conflicts, and has finished. */
  readonly isAnswered?: boolean;
  /** For the adapter only. */
  readonly plan: unknown;
}
