import type { Session } from "@drover/core";
import { Button } from "../ui/button.tsx";
import { Empty, PathWords } from "../ui/empty.tsx";
import { Remedy } from "../ui/remedy.tsx";
import type { ChangesState } from "./change-set.ts";

interface NoChangesProps {
  readonly session: Session;
  readonly state: ChangesState;
  readonly onRetry: () => void;
}

/** Why there is nothing to see: not yet, not possible, or nothing changed. */
export function NoChanges({ session, state, onRetry }: NoChangesProps) {
  const { changes, problem, busy } = state;
  if (problem) {
    return (
      <Empty title="The changes cannot be shown" alert>
        <p>{problem.message}</p>
        <Button className="mt-4" onClick={onRetry}>
          Try again
        </Button>
      </Empty>
    );
  }
  if (!changes) {
    return (
      <p role="status" className="m-auto animate-late text-faint">
        {busy ? "Looking at the working copy…" : ""}
      </p>
    );
  }
  if (!changes.versioned) {
    return (
      <Empty title="Not a git repository">
        <p>
          <PathWords path={changes.path} /> has no history to compare with. Make it a repository, and what the
          agent changes shows up here:
        </p>
        <div className="mt-3 flex justify-center">
          <Remedy text="`git init && git add -A && git commit -m Start`" />
        </div>
      </Empty>
    );
  }
  return (
    <Empty title="Nothing has changed">
      <p>
        <PathWords path={changes.path} /> is as its last commit. What {session.agent} changes is shown here
        when its turn ends.
      </p>
    </Empty>
  );
}
