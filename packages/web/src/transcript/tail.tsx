import type { Session } from "@drover/core";
import { InteractionCard } from "../interaction/interaction-card.tsx";
import { useDrover } from "../state/drover.ts";
import type { Prompt } from "../state/outbox.ts";
import type { SessionView } from "../state/view.ts";
import { EndingLine } from "./ending-line.tsx";
import { PendingPrompt } from "./pending-prompt.tsx";

interface TailProps {
  readonly session: Session;
  readonly view: SessionView;
  readonly prompts: readonly Prompt[];
}

/** What follows the last item: how the turn ended, pending messages and open interactions. */
export function Tail({ session, view, prompts }: TailProps) {
  const { items, state } = view;
  const { outbox } = useDrover();
  const { lastTurn, queue, queuePaused } = state;
  const failed = items.find(({ kind, turnId }) => kind === "user" && turnId === lastTurn?.id)?.text;
  const retry = (prompt: string, notBefore: string | undefined) => {
    const before = queuePaused && notBefore === undefined ? queue[0]?.messageId : undefined;
    outbox.send(session.id, prompt, { before, notBefore });
  };
  const isPlanned = queue.some(({ notBefore, content }) => notBefore !== undefined && content === failed);
  const canRetry = failed !== undefined && prompts.length === 0 && !isPlanned;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3 pb-5 empty:pb-2">
      {lastTurn && (
        <EndingLine
          turn={lastTurn}
          last={items.at(-1)}
          onRetry={canRetry ? (notBefore) => retry(failed, notBefore) : undefined}
        />
      )}
      {prompts.map((prompt) => (
        <PendingPrompt key={prompt.clientMessageId} prompt={prompt} />
      ))}
      {state.interactions.map((interaction) => (
        <InteractionCard key={interaction.id} interaction={interaction} capabilities={session.capabilities} />
      ))}
    </div>
  );
}
