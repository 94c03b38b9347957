import { plainText } from "../format/terminal.ts";
import { ChevronIcon } from "../ui/icons.tsx";
import type { ItemEntry } from "./entries.ts";

export function ThinkingItem({ entry: { item } }: { entry: ItemEntry }) {
  const text = plainText(item.text ?? "").trim();
  const [first = "", ...more] = text.split("\n");
  return (
    <details className="group text-muted">
      <summary className="-mx-1 flex min-w-0 items-center gap-1.5 rounded-md px-1 py-0.5 hover:text-ink">
        <span className="transition-transform group-open:rotate-90">
          <ChevronIcon size={12} />
        </span>
        <span className={item.status === "open" ? "animate-breathe" : ""}>
          {item.status === "open" ? "Thinking…" : "Thought"}
        </span>
        <span className="min-w-0 truncate text-faint text-xs group-open:hidden">
          {first}
          {more.length > 0 && " …"}
        </span>
      </summary>
      <p className="mt-1 whitespace-pre-wrap break-words border-line border-l-2 pl-3">{text}</p>
    </details>
  );
}
