import { useState } from "react";
import { Button } from "../ui/button.tsx";
import type { ChangesState } from "./change-set.ts";
import { CommitDialog } from "./commit-dialog.tsx";
import type { DiffSource } from "./diff-source.ts";

interface CommitButtonProps {
  readonly source: DiffSource;
  readonly state: ChangesState;
  readonly locked: string | undefined;
  readonly onDone: () => void;
}

/** Opens the commit dialog, and then says what was committed. */
export function CommitButton({ source: { edits }, state, locked, onDone }: CommitButtonProps) {
  const [isOpen, setOpen] = useState(false);
  const [committed, setCommitted] = useState<string>();
  const { files, changes } = state;
  const commit = edits?.commit;
  if (!commit) return null;
  return (
    <>
      {committed !== undefined && (
        <p role="status" className="text-muted text-xs">
          Committed <code className="font-mono">{committed.slice(0, 7)}</code>
        </p>
      )}
      {files.length > 0 && (
        <Button disabled={locked !== undefined} title={locked} onClick={() => setOpen(true)}>
          Commit…
        </Button>
      )}
      {isOpen && (
        <CommitDialog
          {...{ files, commit }}
          branch={changes?.branch}
          onClose={() => setOpen(false)}
          onCommitted={(made) => {
            setOpen(false);
            setCommitted(made);
            onDone();
          }}
        />
      )}
    </>
  );
}
