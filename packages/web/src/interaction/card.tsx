import type { Interaction } from "@drover/core";
import { type ReactNode, type RefObject, useEffect, useLayoutEffect, useRef, useState } from "react";
import { useAgentName } from "../agents/agent-name.ts";
import { exactName } from "../format/exact-lines.ts";
import { ago, duration, fullTime, useNow } from "../format/time.ts";
import { Keys } from "../keyboard/keys.tsx";
import { type ShortcutId, shortcuts } from "../keyboard/table.ts";
import { type ShortcutHandlers, useShortcuts } from "../keyboard/use-shortcuts.ts";
import { Button } from "../ui/button.tsx";
import type { ActionState } from "../ui/use-action.ts";
import { CardProblem } from "./card-problem.tsx";
import { holdKeysOf, isFocusFree, useIsDefaultCard } from "./default-card.ts";
import { Description } from "./description.tsx";
import { headingOf, unnamedTool } from "./summary.ts";
import { focusUnchosen, isChosen, useRested } from "./use-rested.ts";

interface CardProps {
  readonly interaction: Interaction;
  /** Shortcuts while the card, or anything in it except a text field, has focus. */
  readonly keys: ShortcutHandlers;
  /** The state of the answer sent from this card. */
  readonly answer: ActionState;
  /** Shortcuts to show while the card has focus. */
  readonly hints: readonly KeyHint[];
  readonly children: ReactNode;
}

type KeyHint = readonly [id: ShortcutId, meaning: string];

const asleep: ShortcutHandlers = {};

/** The frame of every open request. */
export function Card({ interaction, keys, answer, hints, children }: CardProps) {
  const heading = headingOf(interaction, useAgentName(interaction.agent));
  const tool = unnamedTool(interaction);
  const card = useRef<HTMLElement>(null);
  const [focus, setFocus] = useState<"none" | "automatic" | "chosen">("none");
  const rested = useRested();
  const [seen, setSeen] = useState(interaction.inputHash);
  const isChanged = seen !== interaction.inputHash;
  const isDefault = useIsDefaultCard(card);
  const listens = !isChanged && (focus === "chosen" || ((focus === "automatic" || isDefault) && rested));
  useShortcuts(listens ? keys : asleep);
  useEffect(() => {
    // Never take focus from someone who is typing: the next letter would answer the card.
    if (isFocusFree()) focusUnchosen(card.current, { preventScroll: true });
  }, []);
  useAdvance(card, answer);
  return (
    <section
      ref={card}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the card takes keys
      tabIndex={0}
      aria-label={heading}
      aria-disabled={rested ? undefined : true}
      data-interaction={interaction.id}
      data-listens={listens || undefined}
      onClickCapture={(event) => {
        const isReview = event.target instanceof Element && event.target.closest("[data-review]") !== null;
        if (isReview || (rested && !isChanged)) return;
        event.preventDefault();
        event.stopPropagation();
      }}
      onFocus={({ currentTarget }) => setFocus(isChosen(currentTarget) ? "chosen" : "automatic")}
      onBlur={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget)) setFocus("none");
      }}
      className="group/card grid min-w-0 gap-3 rounded-lg border border-warn-dot/55 bg-warn-dot/6 p-3.5 focus-within:border-warn-dot pointer-coarse:outline-none"
    >
      <header className="flex items-baseline gap-3">
        <h2 className="wrap-anywhere mr-auto min-w-0 font-semibold">
          {heading}
          {tool !== undefined && (
            <span className="in-order ml-2 font-mono font-normal text-faint text-xs">{exactName(tool)}</span>
          )}
        </h2>
        <KeyHints of={hints} />
        <Times interaction={interaction} />
      </header>
      {isChanged && (
        <ChangedNotice
          onReview={() => {
            setSeen(interaction.inputHash);
            card.current?.focus({ preventScroll: true });
          }}
        />
      )}
      <Description interaction={interaction} />
      {children}
      <CardProblem problem={answer.problem} />
    </section>
  );
}

/**
 * Moves focus to the next card after an answer from this one, or to the page's heading after the last one. If someone
 * else settled the card, focus does not move: the next key was meant for the settled card.
 */
function useAdvance(card: RefObject<HTMLElement | null>, { busy, done }: ActionState): void {
  const isOwn = useRef(false);
  isOwn.current = busy || done;
  const next = useRef<HTMLElement>(undefined);
  const heading = useRef<HTMLElement>(null);
  // Find the neighbor before the card leaves the document; move focus after it has left.
  useLayoutEffect(() => {
    const settled = card.current;
    return () => {
      if (!settled) return;
      if (!isOwn.current) return holdKeysOf(settled);
      const cards = [...document.querySelectorAll<HTMLElement>("[data-interaction]")];
      const at = cards.indexOf(settled);
      next.current = cards[at + 1] ?? cards[at - 1];
      if (!next.current) heading.current = document.querySelector<HTMLElement>("h1[tabindex='-1']");
    };
  }, [card]);
  useEffect(
    () => () => {
      if (document.activeElement !== document.body) return;
      if (next.current) focusUnchosen(next.current);
      else heading.current?.focus({ preventScroll: true });
    },
    [],
  );
}

/**
 * The agent may change a request while someone is about to answer it. A key or click meant for the old request must not
 * approve the new one, so the card takes no answer until the person has acknowledged the change.
 */
function ChangedNotice({ onReview }: { onReview: () => void }) {
  return (
    <p role="alert" data-review className="flex flex-wrap items-center gap-3 text-warn">
      The agent changed this request after it was shown.
      <Button onClick={onReview}>Review the new request</Button>
    </p>
  );
}

/** How long the request has been open, or how much time is left to answer it. */
function Times({ interaction: { createdAt, deadline } }: { interaction: Interaction }) {
  const now = useNow();
  const remaining = deadline === undefined ? undefined : Date.parse(deadline) - now;
  return (
    <span className="shrink-0 text-faint text-xs tabular-nums">
      {remaining === undefined ? (
        <time dateTime={createdAt} title={fullTime(createdAt)}>
          {ago(createdAt, now)}
        </time>
      ) : (
        <span
          className={remaining < 60_000 ? "text-warn" : ""}
          title={deadline && `Until ${fullTime(deadline)}`}
        >
          {remaining > 0 ? `${roughly(remaining)} left` : "expired"}
        </span>
      )}
    </span>
  );
}

/** Seconds are shown only for the last ten minutes. */
const roughly = (ms: number) => (ms < 600_000 ? duration(ms) : `${Math.ceil(ms / 60_000)}m`);

function KeyHints({ of }: { of: readonly KeyHint[] }) {
  return (
    <p
      aria-hidden="true"
      className="hidden shrink-0 items-center gap-2.5 text-2xs text-faint lg:group-focus-within/card:flex lg:group-data-listens/card:flex"
    >
      {of.map(([id, meaning]) => (
        <span key={id} className="flex items-center gap-1">
          <Keys of={shortcuts().find((shortcut) => shortcut.id === id)?.keys[0] ?? ""} /> {meaning}
        </span>
      ))}
    </p>
  );
}
