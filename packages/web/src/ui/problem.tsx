import type { Problem } from "../transport/wire.ts";
import { CodeWords } from "./code-words.tsx";
import { AlertIcon } from "./icons.tsx";

/** An error message, shown next to the action that failed. */
export function ProblemText({ problem, id }: { problem: Problem | undefined; id?: string | undefined }) {
  if (!problem) return null;
  return (
    <p id={id} role="alert" className="flex items-start gap-1.5 text-bad text-sm">
      <span className="mt-0.5">
        <AlertIcon size={14} />
      </span>
      <span className="min-w-0 break-words">
        <CodeWords text={problem.message} />
      </span>
    </p>
  );
}
