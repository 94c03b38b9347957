import type { ReactNode } from "react";
import { Button } from "../ui/button.tsx";
import { Empty, PathWords } from "../ui/empty.tsx";
import { Remedy } from "../ui/remedy.tsx";
import type { ChangesState } from "./change-set.ts";

/** What to say when nothing has changed. */
export interface Nothing {
  readonly title: string;
  readonly text: ReactNode;
}

interface NoChangesProps {
  readonly state: ChangesState;
  readonly nothing: Nothing;
  readonly onRetry: () => void;
}

/** Why there are no changes to show. */
export function NoChanges({ state, nothing, onRetry }: NoChangesProps) {
  const { changes, problem, busy } = state;
  if (problem) {
    return (
      <Empty title="Can't load changes" alert>
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
        {busy ? "Loading changes…" : ""}
      </p>
    );
  }
  if (!changes.versioned) {
    return (
      <Empty title="Not a git repository">
        <p>
          <PathWords path={changes.path} /> has no history to compare with. To see changes here, make it a
          repository:
        </p>
        <div className="mt-3 flex justify-center">
          <Remedy text="`git init && git add -A && git commit -m Start`" />
        </div>
      </Empty>
    );
  }
  return (
    <Empty title={nothing.title}>
      <p>
        <PathWords path={changes.path} />
      </p>
      <p>{nothing.text}</p>
    </Empty>
  );
}
