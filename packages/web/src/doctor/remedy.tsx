import { CopyButton } from "../ui/copy-button.tsx";

/** What to do, with the commands in it ready to be copied. They stand between backticks. */
export function Remedy({ text }: { text: string }) {
  const parts = text
    .split("`")
    .map((words, at) => ({ at, words: words.trim(), isCommand: at % 2 === 1 }))
    .filter(({ words }) => words !== "");
  return (
    <p className="flex flex-wrap items-center gap-x-1 text-muted text-sm">
      {parts.map(({ at, words, isCommand }) =>
        isCommand ? <Command key={at} command={words} /> : <span key={at}>{words}</span>,
      )}
    </p>
  );
}

function Command({ command }: { command: string }) {
  return (
    <span className="inline-flex max-w-full items-center rounded-md border border-line bg-raised pl-2">
      <code className="min-w-0 break-words py-1 text-left font-mono text-ink text-xs">{command}</code>
      <CopyButton text={command} />
    </span>
  );
}
