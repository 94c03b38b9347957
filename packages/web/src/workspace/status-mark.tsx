import type { ChangedFile, ChangeStatus } from "@drover/core";

const letters: Readonly<Record<ChangeStatus, { letter: string; colour: string; words: string }>> = {
  added: { letter: "A", colour: "text-good", words: "added" },
  untracked: { letter: "U", colour: "text-good", words: "new, not added to git" },
  modified: { letter: "M", colour: "text-warn", words: "modified" },
  deleted: { letter: "D", colour: "text-bad", words: "deleted" },
  renamed: { letter: "R", colour: "text-accent", words: "renamed" },
  copied: { letter: "C", colour: "text-accent", words: "copied" },
  conflicted: { letter: "!", colour: "text-bad", words: "in conflict" },
};

/** How a file changed, in one letter and, for those who do not see it, in words. */
export function StatusMark({ status }: { status: ChangeStatus }) {
  const { letter, colour, words } = letters[status];
  return (
    <span title={words} className={`w-3.5 shrink-0 text-center font-medium font-mono text-2xs ${colour}`}>
      <span aria-hidden="true">{letter}</span>
      <span className="sr-only">{words}</span>
    </span>
  );
}

/** Lines added and removed. */
export function Counts({ added, removed, binary }: Pick<ChangedFile, "added" | "removed" | "binary">) {
  if (binary) return <span className="shrink-0 text-2xs text-faint">binary</span>;
  return (
    <span className="shrink-0 font-mono text-2xs tabular-nums">
      {added > 0 && <span className="text-good">+{added.toLocaleString("en")}</span>}
      {added > 0 && removed > 0 && " "}
      {removed > 0 && <span className="text-bad">−{removed.toLocaleString("en")}</span>}
    </span>
  );
}
