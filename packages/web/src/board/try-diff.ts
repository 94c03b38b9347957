import type { DiffSource } from "../changes/diff-source.ts";
import { sessionDiff } from "../changes/session-diff.ts";
import { reviewDiff } from "../review/review-diff.ts";
import type { Drover } from "../state/drover.ts";

interface Pair {
  readonly of: string;
  readonly against: string;
}

/** What one session's work has otherwise than another's, which changes with the work of either. */
export function tryDiff(drover: Drover, { of, against }: Pair): DiffSource {
  const both = [reviewDiff(drover, of), reviewDiff(drover, against)];
  return {
    ...sessionDiff(drover, of, { with: against }),
    subscribe: (changed) => {
      const undo = both.map((source) => source.subscribe(changed));
      return () => {
        for (const each of undo) each();
      };
    },
  };
}
