import type { Interaction } from "@drover/core";
import { DecisionLine } from "../interaction/decision-line.tsx";
import { InteractionCard } from "../interaction/interaction-card.tsx";
import { headingOf, subjectOf } from "../interaction/summary.ts";
import { useDrover } from "../state/drover.ts";
import { href } from "../state/route.ts";
import { useStore } from "../state/store.ts";
import { PathText } from "../ui/path-text.tsx";

/** One thing that waits, or waited a moment ago, under the session it belongs to. */
export function InboxEntry({ interaction }: { interaction: Interaction }) {
  const { sessions } = useDrover();
  const session = useStore(sessions.state, () => sessions.find(interaction.sessionId));
  const { sessionId, sessionName, state } = interaction;
  return (
    <li className="grid min-w-0 gap-1.5 max-md:gap-0">
      <p className="flex min-w-0 items-baseline gap-2 text-xs">
        <a
          className="min-w-0 truncate font-medium hover:underline max-md:py-3"
          href={href.session(sessionId)}
        >
          {session?.title || sessionName}
        </a>
        <span className="flex min-w-0 text-faint" title={session?.cwd}>
          <PathText path={session?.cwd ?? ""} />
        </span>
      </p>
      {state === "open" ? (
        <InteractionCard interaction={interaction} capabilities={session?.capabilities} />
      ) : (
        <Settled interaction={interaction} />
      )}
    </li>
  );
}

function Settled({ interaction }: { interaction: Interaction }) {
  const isCommand = interaction.toolKind === "execute";
  return (
    <div className="rounded-lg border border-line px-3.5 py-2.5">
      <p className="flex min-w-0 items-baseline gap-2 text-muted">
        <span className="shrink-0">{headingOf(interaction)}</span>
        <span className={`truncate ${isCommand ? "font-mono text-xs" : ""}`}>{subjectOf(interaction)}</span>
      </p>
      <DecisionLine interaction={interaction} />
    </div>
  );
}
