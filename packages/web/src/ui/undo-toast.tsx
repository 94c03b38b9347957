import { useEffect, useState } from "react";
import { keyText } from "../keyboard/table.ts";
import { useShortcuts } from "../keyboard/use-shortcuts.ts";
import { useStore } from "../state/store.ts";
import type { Problem } from "../transport/wire.ts";
import { IconButton, TextButton } from "./button.tsx";
import { CrossIcon } from "./icons.tsx";
import { ProblemText } from "./problem.tsx";
import { endOffer, type Undoable, undoable } from "./undo.ts";

/** How long the offer stays. The pointer or the focus on it keeps it longer. */
const shownMs = 8_000;

/** Says what was just done, and offers to undo it. */
export function UndoToast() {
  const offered = useStore(undoable, (now) => now);
  return (
    <div
      role="status"
      // Beside the composer, not above it: over the sidebar, or below the header of a phone.
      className="pointer-events-none fixed z-30 flex max-md:inset-x-3 max-md:top-25 max-md:justify-center md:bottom-3 md:left-2 md:w-68"
    >
      {offered && <Offer key={offered.id} offered={offered} />}
    </div>
  );
}

function Offer({ offered }: { offered: Undoable }) {
  const [isHeld, setHeld] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  const close = () => endOffer(offered);
  useEffect(() => {
    if (isHeld || problem) return;
    const timer = setTimeout(() => endOffer(offered), shownMs);
    return () => clearTimeout(timer);
  }, [offered, isHeld, problem]);
  const undo = async () => {
    const result = await offered.undo?.();
    if (result && !result.ok) setProblem(result.error);
    else close();
  };
  useShortcuts(offered.undo ? { undo: () => void undo() } : {});
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: reading it keeps it open
    <div
      className="pointer-events-auto flex max-w-full items-center gap-3 rounded-lg md:w-full bg-overlay py-1.5 pr-1.5 pl-3.5 text-sm shadow-overlay"
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <span className="mr-auto line-clamp-3 min-w-0 break-words" title={offered.done}>
        {offered.done}
      </span>
      {problem ? (
        <ProblemText problem={problem} />
      ) : (
        offered.undo && (
          <TextButton
            className="shrink-0 font-medium max-md:min-h-10"
            title={`Undo (${keyText("Mod+z")})`}
            onClick={() => void undo()}
          >
            Undo
          </TextButton>
        )
      )}
      <IconButton label="Close" onClick={close}>
        <CrossIcon size={14} />
      </IconButton>
    </div>
  );
}
