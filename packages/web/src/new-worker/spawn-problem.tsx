import type { Problem } from "../transport/wire.ts";
import { ProblemText } from "../ui/problem.tsx";
import { Remedy } from "../ui/remedy.tsx";

interface SpawnProblemProps {
  readonly problem: Problem | undefined;
  readonly started: number;
  readonly tries: number;
}

/** Why a worker could not be started, and which ones were. */
export function SpawnProblem({ problem, started, tries }: SpawnProblemProps) {
  if (!problem) return null;
  return (
    <div className="grid gap-1">
      {started > 0 && (
        <p className="text-sm text-warn">
          {started} of {tries} workers started.
        </p>
      )}
      {problem.code === "WORKSPACE_FAILED" ? (
        <div role="alert">
          <Remedy text={problem.message} />
        </div>
      ) : (
        <ProblemText problem={problem} />
      )}
    </div>
  );
}
