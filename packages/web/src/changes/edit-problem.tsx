import type { Problem } from "../transport/wire.ts";
import { Button } from "../ui/button.tsx";
import { ConflictingFiles } from "../ui/conflicting-files.tsx";
import { ProblemText } from "../ui/problem.tsx";

interface EditProblemProps {
  readonly problem: Problem | undefined;
  readonly busy: boolean;
  readonly onForce: () => void;
}

/** Why a change could not be taken back. */
export function EditProblem({ problem, busy, onForce }: EditProblemProps) {
  if (!problem) return null;
  return (
    <div className="border-line border-b px-3 py-2 md:px-5">
      {problem.code === "REVERT_CONFLICT" ? (
        <ConflictingFiles
          title="Changed since this turn; undoing would overwrite it:"
          files={problem.files ?? []}
        >
          <Button disabled={busy} onClick={onForce}>
            Undo anyway
          </Button>
        </ConflictingFiles>
      ) : (
        <ProblemText problem={problem} />
      )}
    </div>
  );
}
