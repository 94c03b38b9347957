import { clockTime } from "../format/time.ts";
import { resolutionWords, who } from "../format/words.ts";
import type { Problem } from "../transport/wire.ts";
import { InfoIcon } from "../ui/icons.tsx";
import { ProblemText } from "../ui/problem.tsx";

/** Why an answer was not accepted. An earlier answer is not an error: say what was decided, by whom and when. */
export function CardProblem({ problem }: { problem: Problem | undefined }) {
  if (problem?.code !== "ALREADY_RESOLVED" || !problem.resolution) return <ProblemText problem={problem} />;
  const { resolution, by, at } = problem;
  return (
    <p role="alert" className="flex items-start gap-1.5 text-muted text-sm">
      <span className="mt-0.5">
        <InfoIcon size={14} />
      </span>
      Already {resolutionWords[resolution]} by {who(by)}
      {at && ` at ${clockTime(at)}`}.
    </p>
  );
}
