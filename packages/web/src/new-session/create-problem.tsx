import type { Problem } from "../transport/wire.ts";
import { Button } from "../ui/button.tsx";
import { ProblemText } from "../ui/problem.tsx";
import { Remedy } from "../ui/remedy.tsx";

interface CreateProblemProps {
  readonly problem: Problem | undefined;
  readonly busy: boolean;
  readonly onReattach: () => void;
}

/** Why the session could not be created, and the next step. */
export function CreateProblem({ problem, busy, onReattach }: CreateProblemProps) {
  if (problem?.code === "WORKSPACE_FAILED") {
    return (
      <div role="alert" className="grid gap-1">
        <p className="text-bad text-sm">No worktree was created.</p>
        <Remedy text={problem.message} />
      </div>
    );
  }
  if (problem?.code === "NAME_TAKEN" && problem.branch !== undefined) {
    return (
      <div role="alert" className="flex flex-wrap items-center justify-between gap-2 text-sm">
        <p className="min-w-0">
          The branch <code className="font-mono">{problem.branch}</code> already exists. Choose another name,
          or continue on it.
        </p>
        <Button disabled={busy} onClick={onReattach}>
          Use the existing branch
        </Button>
      </div>
    );
  }
  return <ProblemText problem={problem} />;
}
