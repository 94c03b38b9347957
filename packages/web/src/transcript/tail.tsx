import type { Capabilities } from "@drover/core";
import { InteractionCard } from "../interaction/interaction-card.tsx";
import type { Prompt } from "../state/outbox.ts";
import type { SessionView } from "../state/view.ts";
import { EndingLine } from "./ending-line.tsx";
import { PendingPrompt } from "./pending-prompt.tsx";

interface TailProps {
  readonly view: SessionView;
  readonly prompts: readonly Prompt[];
  readonly capabilities: Capabilities;
}

/** What follows the last item: how the turn ended, pending messages and open interactions. */
export function Tail({ view, prompts, capabilities }: TailProps) {
  const { items, state } = view;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3 pb-5 empty:pb-2">
      {state.lastTurn && <EndingLine turn={state.lastTurn} last={items.at(-1)} />}
      {prompts.map((prompt) => (
        <PendingPrompt key={prompt.clientMessageId} prompt={prompt} />
      ))}
      {state.interactions.map((interaction) => (
        <InteractionCard key={interaction.id} interaction={interaction} capabilities={capabilities} />
      ))}
    </div>
  );
}
