import type { Session } from "@drover/core";
import { useEffect, useRef, useState } from "react";
import { InteractionCard } from "../interaction/interaction-card.tsx";
import { useDrover } from "../state/drover.ts";
import { useStore } from "../state/store.ts";
import { Button } from "../ui/button.tsx";

/** The worker's oldest request, which can be answered without leaving the board. */
export function AnswerHere({ session }: { session: Session }) {
  const { inbox } = useDrover();
  const [isOpen, setIsOpen] = useState(false);
  const interaction = useStore(inbox.state, ({ open }) =>
    open.find(({ sessionId }) => sessionId === session.id),
  );
  const box = useRef<HTMLDivElement>(null);
  // The person who opened it means to answer it next.
  useEffect(() => {
    if (isOpen) box.current?.querySelector<HTMLElement>("[data-interaction]")?.focus();
  }, [isOpen]);
  // A request too large for the inbox is answered in its session.
  if (!interaction || interaction.inputOmitted) return null;
  return (
    <>
      <Button className="justify-self-start" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
        {isOpen ? "Close" : interaction.kind === "question" ? "Answer…" : "Decide…"}
      </Button>
      <div ref={box} className="empty:hidden">
        {isOpen && (
          <InteractionCard
            key={interaction.id}
            interaction={interaction}
            capabilities={session.capabilities}
          />
        )}
      </div>
    </>
  );
}
