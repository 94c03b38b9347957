import type { Session } from "@drover/core";
import { Remedy } from "../doctor/remedy.tsx";
import { Button } from "../ui/button.tsx";
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
      <Words title="The changes cannot be shown" alert>
        <p>{problem.message}</p>
        <Button className="mt-4" onClick={onRetry}>
          Try again
        </Button>
      </Words>
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
      <Words title="Not a git repository">
        <p>
          <Path>{changes.path}</Path> has no history to compare with. Make it a repository, and what the agent
          changes shows up here:
        </p>
        <div className="mt-3 flex justify-center">
          <Remedy text="`git init && git add -A && git commit -m Start`" />
        </div>
      </Words>
    );
  }
  return (
    <Words title="Nothing has changed">
      <p>
        <Path>{changes.path}</Path> is as its last commit. What {session.agent} changes is shown here when its
        turn ends.
      </p>
    </Words>
  );
}

function Path({ children }: { children: string }) {
  return <span className="break-all font-mono text-ink text-xs">{children}</span>;
}

interface WordsProps {
  readonly title: string;
  readonly alert?: boolean;
  readonly children: React.ReactNode;
}

function Words({ title, alert, children }: WordsProps) {
  return (
    <div role={alert ? "alert" : undefined} className="m-auto max-w-md px-6 py-10 text-center">
      <h2 className="font-semibold text-lg tracking-tight">{title}</h2>
      <div className="mt-1.5 text-muted">{children}</div>
    </div>
  );
}
