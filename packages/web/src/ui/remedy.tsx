import { CopyButton } from "./copy-button.tsx";

/** What to do, with the commands in it ready to be copied. They stand between backticks. */
export function Remedy({ text }: { text: string }) {
  return (
    <p className="min-w-0 text-muted text-sm">
      {text.split("`").map((words, at) =>
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a sentence never move
        at % 2 === 1 ? <Command key={at} command={words} /> : words,
      )}
    </p>
  );
}

function Command({ command }: { command: string }) {
  return (
    <span className="my-0.5 inline-flex max-w-full items-center rounded-md border border-line bg-raised pl-2 align-middle">
      <code className="min-w-0 break-words py-1 text-left font-mono text-ink text-xs">{command}</code>
      <CopyButton text={command} />
    </span>
  );
}
