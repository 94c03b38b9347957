import { plainText } from "../format/terminal.ts";
import { clockTime, fullTime } from "../format/time.ts";
import { who } from "../format/words.ts";
import type { ItemEntry } from "./entries.ts";

export function UserItem({ entry: { item } }: { entry: ItemEntry }) {
  const isFromPage = item.by === undefined || item.by.startsWith("web:");
  return (
    <article aria-label="You said" className="group mt-3 first:mt-0">
      <div className="rounded-lg bg-raised px-3.5 py-2.5">
        <p className="whitespace-pre-wrap break-words text-base">{plainText(item.text ?? "")}</p>
      </div>
      <p className="mt-1 px-1 text-2xs text-faint">
        <time dateTime={item.at} title={fullTime(item.at)}>
          {clockTime(item.at)}
        </time>
        {!isFromPage && ` · from ${who(item.by)}`}
      </p>
    </article>
  );
}
