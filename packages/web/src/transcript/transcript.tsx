import type { Capabilities } from "@drover/core";
import { useMemo, useRef } from "react";
import { DecisionLine } from "../interaction/decision-line.tsx";
import { InteractionCard } from "../interaction/interaction-card.tsx";
import type { Prompt } from "../state/outbox.ts";
import type { SessionView } from "../state/view.ts";
import { DownIcon } from "../ui/icons.tsx";
import { EndingLine } from "./ending-line.tsx";
import { arrange } from "./entries.ts";
import { ItemView } from "./item-view.tsx";
import { PendingPrompt } from "./pending-prompt.tsx";
import { useFollow } from "./use-follow.ts";

interface TranscriptProps {
  readonly view: SessionView;
  readonly prompts: readonly Prompt[];
  readonly capabilities: Capabilities | undefined;
  readonly onLoadEarlier: () => void;
}

export function Transcript({ view, prompts, capabilities, onLoadEarlier }: TranscriptProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const { following, jump } = useFollow(scroller, content);
  const { items, settled, state, ending } = view;
  const entries = useMemo(
    () => arrange(items, [...settled, ...state.interactions]),
    [items, settled, state.interactions],
  );
  const empty = entries.length === 0 && prompts.length === 0 && state.interactions.length === 0;
  return (
    <div className="relative min-h-0 flex-1">
      <div
        ref={scroller}
        className="h-full overflow-y-auto"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard
        tabIndex={0}
        role="log"
        aria-label="Transcript"
        aria-live="off"
      >
        <div ref={content} className="mx-auto flex max-w-[46rem] flex-col gap-3 px-4 py-5 md:px-6">
          {view.before !== undefined && (
            <button type="button" className="mx-auto text-accent text-xs" onClick={onLoadEarlier}>
              Show earlier
            </button>
          )}
          {empty && (
            <p className="py-16 text-center text-faint">Nothing said yet. Write the first prompt below.</p>
          )}
          {entries.map((entry) =>
            entry.type === "item" ? (
              <ItemView key={entry.item.id} entry={entry} />
            ) : (
              <div key={entry.interaction.id} className="rounded-md border border-line px-3 py-2">
                <DecisionLine interaction={entry.interaction} />
              </div>
            ),
          )}
          {ending && <EndingLine ending={ending} lastWords={items.at(-1)?.text} />}
          {prompts.map((prompt) => (
            <PendingPrompt key={prompt.clientMessageId} prompt={prompt} />
          ))}
          {state.interactions.map((interaction) => (
            <InteractionCard key={interaction.id} interaction={interaction} capabilities={capabilities} />
          ))}
        </div>
      </div>
      {!following && (
        <button
          type="button"
          onClick={jump}
          className="absolute bottom-3 left-1/2 flex h-7 -translate-x-1/2 items-center gap-1.5 rounded-full bg-overlay px-3 text-xs shadow-float hover:bg-hover"
        >
          <DownIcon size={13} />
          Jump to latest
        </button>
      )}
    </div>
  );
}
