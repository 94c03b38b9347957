import { useState } from "react";
import { MessageFiles } from "../attachments/message-files.tsx";
import { plainText } from "../format/terminal.ts";
import { clockTime, fullTime } from "../format/time.ts";
import { who } from "../format/words.ts";
import { TextButton } from "../ui/button.tsx";
import type { ItemEntry } from "./entries.ts";
import { useReader } from "./reader.ts";

/** A longer prompt is folded to this many lines. */
const foldedLines = 12;
const foldedCharacters = 1_200;

/** Not much longer ones are shown whole. */
const isLong = (text: string) =>
  text.length > 1.25 * foldedCharacters || text.split("\n", 2 * foldedLines).length > 1.25 * foldedLines;

export function UserItem({ entry: { item } }: { entry: ItemEntry }) {
  const { runningTurn, target, session } = useReader();
  const [chosen, setChosen] = useState<boolean>();
  const text = plainText(item.text ?? "");
  const open = chosen ?? target === item.seq;
  const canFold = isLong(text);
  const isFromPage = item.by === undefined || item.by.startsWith("web:");
  const isRunning = runningTurn !== undefined && item.turnId === runningTurn;
  return (
    <article aria-label="You" className="pt-3">
      <div className="rounded-lg bg-raised px-3.5 py-2.5">
        <p
          dir="auto"
          className={`whitespace-pre-wrap break-words text-base ${canFold && !open ? "line-clamp-12" : ""}`}
        >
          {text}
        </p>
        {canFold && (
          <TextButton className="mt-1 text-xs" aria-expanded={open} onClick={() => setChosen(!open)}>
            {open ? "Show less" : "Show more"}
          </TextButton>
        )}
      </div>
      {item.attachments && <MessageFiles sessionId={session.id} attachments={item.attachments} />}
      <p className="mt-1 flex items-center gap-1 px-1 text-2xs text-faint">
        <time dateTime={item.at} title={fullTime(item.at)}>
          {clockTime(item.at)}
        </time>
        {!isFromPage && <span>· from {who(item.by)}</span>}
        {isRunning && (
          <span className="flex items-center gap-1.5">
            · <span aria-hidden="true" className="size-1.5 animate-breathe rounded-full bg-accent" />
            Running
          </span>
        )}
      </p>
    </article>
  );
}
