import { useState } from "react";
import { plainText } from "../format/terminal.ts";
import { ChevronIcon } from "../ui/icons.tsx";
import type { ItemEntry } from "./entries.ts";
import { useReader } from "./reader.ts";

/** Thoughts are collapsed to their first line. */
export function ThinkingItem({ entry: { item } }: { entry: ItemEntry }) {
  const { target } = useReader();
  const [chosen, setChosen] = useState<boolean>();
  const open = chosen ?? target === item.seq;
  const text = plainText(item.text ?? "").trim();
  const [first = "", ...more] = text.split("\n", 2);
  const growing = item.status === "open";
  return (
    <div className="text-muted">
      <button
        type="button"
        aria-expanded={open}
        onClick={() => setChosen(!open)}
        className="-mx-1 flex w-full min-w-0 items-center gap-1.5 rounded-md px-1 py-0.5 text-left hover:text-ink"
      >
        <span className={`transition-transform ${open ? "rotate-90" : ""}`}>
          <ChevronIcon size={12} />
        </span>
        <span className={growing ? "animate-breathe" : ""}>{growing ? "Thinking…" : "Thought"}</span>
        {!open && (
          <span className="min-w-0 truncate text-faint text-xs">
            {first}
            {more.length > 0 && " …"}
          </span>
        )}
      </button>
      {open && <p className="mt-1 whitespace-pre-wrap break-words border-line border-l-2 pl-3">{text}</p>}
    </div>
  );
}
