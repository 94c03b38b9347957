import type { ChangeStatus } from "@drover/core";

const letters: Readonly<Record<ChangeStatus, { letter: string; colour: string; words: string }>> = {
  added: { letter: "A", colour: "text-good", words: "added" },
  untracked: { letter: "U", colour: "text-good", words: "untracked" },
  modified: { letter: "M", colour: "text-warn", words: "modified" },
  deleted: { letter: "D", colour: "text-bad", words: "deleted" },
  renamed: { letter: "R", colour: "text-accent", words: "renamed" },
  copied: { letter: "C", colour: "text-accent", words: "copied" },
  conflicted: { letter: "!", colour: "text-bad", words: "conflicted" },
};

/** How a file changed: a letter, and a label for screen readers. */
export function StatusMark({ status }: { status: ChangeStatus }) {
  const { letter, colour, words } = letters[status];
  return (
    <span title={words} className={`w-3.5 shrink-0 text-center font-medium font-mono text-2xs ${colour}`}>
      <span aria-hidden="true">{letter}</span>
      <span className="sr-only">{words}</span>
    </span>
  );
}
