import { exactText, type Interaction } from "@drover/core";
import { clockTime, fullTime } from "../format/time.ts";
import { who } from "../format/words.ts";

const causes = {
  agent_gone: "the agent exited before anyone answered",
  turn_cancelled: "the turn was interrupted",
} as const;

/** How an interaction was settled, and by whom. */
export function DecisionLine({ interaction }: { interaction: Interaction }) {
  const { resolution, by, at, reason, scope, cause, answers } = interaction;
  const person = who(by);
  const sentence = {
    approved: `Approved by ${person}${scope === "session" ? " for this session" : ""}`,
    denied: `Denied by ${person}`,
    answered: `Answered by ${person}`,
    expired: cause ? `Expired: ${causes[cause]}` : "Expired: no answer in time",
    cancelled: cause ? `Withdrawn: ${causes[cause]}` : "Withdrawn",
  }[resolution ?? "cancelled"];
  return (
    <div className="text-2xs text-muted">
      <p>
        <span className={resolution === "denied" ? "text-bad" : ""}>{sentence}</span>
        {at && (
          <time dateTime={at} title={fullTime(at)} className="text-faint">
            {` · ${clockTime(at)}`}
          </time>
        )}
      </p>
      {reason && <p className="mt-0.5 break-words">“{exactText(reason)}”</p>}
      {answers && <Answered interaction={interaction} />}
    </div>
  );
}

function Answered({ interaction: { questions, answers } }: { interaction: Interaction }) {
  return (
    <dl className="mt-1 grid gap-1 text-sm">
      {questions?.map(({ id, question }) => (
        <div key={id}>
          <dt className="text-muted">{exactText(question)}</dt>
          <dd className="font-medium text-ink">{exactText([answers?.[id] ?? []].flat().join(", "))}</dd>
        </div>
      ))}
    </dl>
  );
}
