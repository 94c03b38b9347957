import { plainText } from "../format/terminal.ts";
import { clockTime, fullTime } from "../format/time.ts";
import { who } from "../format/words.ts";
import type { ItemEntry } from "./entries.ts";
import { useReader } from "./reader.ts";

export function UserItem({ entry: { item } }: { entry: ItemEntry }) {
  const { runningTurn } = useReader();
  const isFromPage = item.by === undefined || item.by.startsWith("web:");
  const isRunning = runningTurn !== undefined && item.turnId === runningTurn;
  return (
    <article aria-label="You" className="pt-3">
      <div className="rounded-lg bg-raised px-3.5 py-2.5">
        <p dir="auto" className="whitespace-pre-wrap break-words text-base">
          {plainText(item.text ?? "")}
        </p>
      </div>
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
