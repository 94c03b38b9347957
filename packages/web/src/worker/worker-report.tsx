import { exactText, type Worker } from "@drover/core";
import { MarkdownText } from "../transcript/markdown-text.tsx";
import { ScrollBox } from "../ui/scroll-box.tsx";

/** What a worker wrote about its work, and what it handed over. */
export function WorkerReport({ worker: { summary, result } }: { worker: Worker }) {
  return (
    <div className="grid gap-3">
      {summary !== undefined && <MarkdownText text={summary} />}
      {typeof result === "string" && result !== summary && <MarkdownText text={result} />}
      {result !== undefined && typeof result !== "string" && (
        <ScrollBox
          aria-label="Result"
          className="max-h-48 overflow-auto rounded-md border border-line bg-raised px-2.5 py-1.5 font-mono text-xs"
        >
          {exactText(JSON.stringify(result, null, 2))}
        </ScrollBox>
      )}
    </div>
  );
}
