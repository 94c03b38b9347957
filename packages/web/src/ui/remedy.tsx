import { CopyButton } from "./copy-button.tsx";

/** Instructions; commands between backticks get a copy button. */
export function Remedy({ text }: { text: string }) {
  return (
    <p className="min-w-0 text-muted text-sm">
      {text.split("`").map((part, at) =>
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a sentence never move
        at % 2 === 1 ? <Command key={at} command={part} /> : part,
      )}
    </p>
  );
}

function Command({ command }: { command: string }) {
  return (
    <span className="my-0.5 inline-flex max-w-full items-center rounded-md border border-line bg-raised pl-2 align-middle">
      <code className="min-w-0 wrap-anywhere py-1 text-left font-mono text-ink text-xs">{command}</code>
      <CopyButton text={command} />
    </span>
  );
}
