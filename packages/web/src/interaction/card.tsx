import type { Interaction } from "@drover/core";
import { type KeyboardEvent, type ReactNode, useEffect, useRef } from "react";
import { duration, useNow } from "../format/time.ts";

interface CardProps {
  readonly interaction: Interaction;
  readonly heading: string;
  /** Single keys that act while the card itself, not a field in it, has the focus. */
  readonly keys: Readonly<Record<string, () => void>>;
  readonly children: ReactNode;
}

/** The frame of everything that waits for a person. */
export function Card({ interaction, heading, keys, children }: CardProps) {
  const card = useRef<HTMLElement>(null);
  useEffect(() => {
    // Never take the focus from somebody who is typing: the next letter would decide.
    if (document.activeElement === document.body) card.current?.focus({ preventScroll: true });
  }, []);

  const onKeyDown = (event: KeyboardEvent) => {
    const typing = (event.target as HTMLElement).matches("input, textarea, select");
    if (typing || event.repeat || event.ctrlKey || event.metaKey || event.altKey) return;
    const act = keys[event.key.toLowerCase()];
    if (!act) return;
    event.preventDefault();
    act();
  };

  return (
    <section
      ref={card}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the card takes keys
      tabIndex={0}
      aria-label={heading}
      onKeyDown={onKeyDown}
      className="group/card grid gap-3 rounded-lg border border-warn-dot/55 bg-warn-dot/6 p-3.5"
    >
      <header className="flex items-baseline gap-3">
        <h3 className="min-w-0 font-semibold">{heading}</h3>
        {interaction.deadline && <Deadline deadline={interaction.deadline} />}
      </header>
      {children}
    </section>
  );
}

function Deadline({ deadline }: { deadline: string }) {
  const left = Date.parse(deadline) - useNow();
  return (
    <span className={`ml-auto shrink-0 text-xs tabular-nums ${left < 60_000 ? "text-warn" : "text-faint"}`}>
      {left > 0 ? `${duration(left)} left` : "time is up"}
    </span>
  );
}

/** The keys of a card, shown while they work. */
export function KeyHints({ hints }: { hints: readonly (readonly [key: string, meaning: string])[] }) {
  return (
    <p aria-hidden="true" className="ml-auto hidden gap-2 text-2xs text-faint md:group-focus/card:flex">
      {hints.map(([key, meaning]) => (
        <span key={key}>
          <kbd className="rounded-sm border border-line-strong px-1 font-mono">{key}</kbd> {meaning}
        </span>
      ))}
    </p>
  );
}
