import { exactText, type Interaction } from "@drover/core";
import { useAgentName } from "../agents/agent-name.ts";
import { exactName } from "../format/exact-lines.ts";
import { DecisionLine } from "../interaction/decision-line.tsx";
import { InteractionCard } from "../interaction/interaction-card.tsx";
import { headingOf } from "../interaction/summary.ts";
import { sessionHref } from "../session/session-href.ts";
import { useDrover } from "../state/drover.ts";
import { useStore } from "../state/store.ts";
import { ExpiredRequest } from "./expired-request.tsx";
import { Subject } from "./subject.tsx";

interface InboxEntryProps {
  readonly interaction: Interaction;
  /** It expired unanswered and has not been followed up on. */
  readonly isExpired: boolean;
}

/** An open or just settled request, below the name of its session. */
export function InboxEntry({ interaction, isExpired }: InboxEntryProps) {
  const { sessions } = useDrover();
  const session = useStore(sessions.state, () => sessions.find(interaction.sessionId));
  const { sessionId, sessionName, state } = interaction;
  return (
    <li className="grid min-w-0 gap-1.5 max-md:gap-0">
      <p className="flex min-w-0 items-baseline gap-2 text-xs">
        <a
          className="wrap-anywhere min-w-0 font-medium hover:underline max-md:py-3"
          href={sessionHref(sessionId)}
        >
          {exactText(session?.title || sessionName)}
        </a>
        <span className="in-order wrap-anywhere min-w-0 text-faint">{exactName(session?.cwd ?? "")}</span>
      </p>
      {state === "open" && interaction.inputOmitted && <TooLarge interaction={interaction} />}
      {state === "open" && !interaction.inputOmitted && (
        <InteractionCard interaction={interaction} capabilities={session?.capabilities} />
      )}
      {state !== "open" &&
        (isExpired ? <ExpiredRequest interaction={interaction} /> : <Settled interaction={interaction} />)}
    </li>
  );
}

/** A request that can only be answered in its session, which shows it in full. */
function TooLarge({ interaction }: { interaction: Interaction }) {
  return (
    <div className="rounded-lg border border-line px-3.5 py-2.5">
      <p>{headingOf(interaction, useAgentName(interaction.agent))}</p>
      <p className="text-muted">
        This request is too large for the inbox.{" "}
        <a className="underline" href={sessionHref(interaction.sessionId)}>
          Open the session to review it
        </a>
      </p>
    </div>
  );
}

function Settled({ interaction }: { interaction: Interaction }) {
  return (
    <div className="rounded-lg border border-line px-3.5 py-2.5">
      <Subject interaction={interaction} />
      <DecisionLine interaction={interaction} />
    </div>
  );
}
