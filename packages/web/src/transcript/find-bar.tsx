import { type KeyboardEvent, useEffect, useRef } from "react";
import { IconButton } from "../ui/button.tsx";
import { CrossIcon, DownIcon, SearchIcon } from "../ui/icons.tsx";
import { useFocusBack } from "../ui/use-focus-back.ts";
import { UpIcon } from "./icons.tsx";
import type { Find } from "./use-find.ts";

/** Searches from the newest item back to the oldest. */
export function FindBar({ find, onClose }: { find: Find; onClose: () => void }) {
  const field = useRef<HTMLInputElement>(null);
  useFocusBack();
  useEffect(() => field.current?.select(), []);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Escape") onClose();
    else if (event.key === "Enter") void find.go(event.shiftKey ? "newer" : "older");
    else return;
    event.preventDefault();
  };
  return (
    <search
      aria-label="Find in transcript"
      className="focus-frame absolute top-2 right-3 left-3 z-20 flex h-10 max-md:h-12 items-center gap-0.5 rounded-lg bg-overlay pr-1 pl-3 shadow-overlay md:left-auto md:w-96"
    >
      <span className="text-faint">
        <SearchIcon size={14} />
      </span>
      <input
        ref={field}
        aria-label="Find in transcript"
        placeholder="Find in transcript"
        className="min-w-0 flex-1 bg-transparent px-2 text-sm framed"
        value={find.query}
        onChange={(event) => find.setQuery(event.target.value)}
        onKeyDown={onKeyDown}
      />
      <span role="status" className="shrink-0 px-1 text-2xs text-faint tabular-nums">
        {statusOf(find)}
      </span>
      <IconButton label="Older match" onClick={() => void find.go("older")}>
        <UpIcon size={14} />
      </IconButton>
      <IconButton label="Newer match" onClick={() => void find.go("newer")}>
        <DownIcon size={14} />
      </IconButton>
      <IconButton label="Close" onClick={onClose}>
        <CrossIcon size={14} />
      </IconButton>
    </search>
  );
}

function statusOf({ query, searching, exhausted, count, position, more }: Find): string {
  if (query.trim() === "") return "";
  if (searching) return "Searching…";
  if (exhausted === "unread") return "Connection lost";
  if (exhausted) return count === 0 ? "Not found" : `No ${exhausted} match`;
  if (count === 0) return more ? "Press Enter to search older messages" : "Not found";
  const found = `${count}${more ? "+" : ""}`;
  return position === undefined ? found : `${position} of ${found}`;
}
