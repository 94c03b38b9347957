import type { DeletedSession, Session } from "@drover/core";
import { useState } from "react";
import { useDrover } from "../state/drover.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { ProblemText } from "../ui/problem.tsx";
import { useAction } from "../ui/use-action.ts";

interface DiscardDialogProps {
  readonly kept: Session;
  readonly others: readonly Session[];
  readonly onClose: () => void;
}

interface Discarded {
  readonly name: string;
  readonly kept: DeletedSession["kept"];
}

/** Removes all other tries at a task, and says where their work can still be found. */
export function DiscardDialog({ kept, others, onClose }: DiscardDialogProps) {
  const drover = useDrover();
  const { busy, done, problem, run } = useAction();
  const [discarded, setDiscarded] = useState<readonly Discarded[]>([]);
  /** All that there were: each leaves `others` once it is gone. */
  const [all] = useState(others);
  const discard = () =>
    run(async () => {
      for (const { id, name } of others) {
        const removed = await drover.remove(id, { force: true });
        if (!removed.ok) return removed;
        setDiscarded((before) => [...before, { name, kept: removed.value.kept }]);
      }
      return { ok: true, value: true };
    });
  return (
    <Dialog
      title={all.length === 1 ? "Discard the other try?" : `Discard the other ${all.length} tries?`}
      onClose={onClose}
    >
      <div className="grid gap-4">
        <p className="text-muted">
          Keeps {kept.name}. The others are stopped and removed with their worktrees. Branches with commits
          stay, and uncommitted files are kept under a ref.
        </p>
        <ul className="grid gap-1.5">
          {all.map(({ id, name, workspace }) => {
            const gone = discarded.find((each) => each.name === name);
            return (
              <li key={id} className="grid">
                <span className={gone ? "text-muted line-through" : ""}>{name}</span>
                <span className="wrap-anywhere font-mono text-faint text-xs">
                  {gone?.kept ? `kept as ${gone.kept.ref}` : workspace.branch}
                </span>
              </li>
            );
          })}
        </ul>
        <ProblemText problem={problem} />
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>{done ? "Close" : "Cancel"}</Button>
          {!done && (
            <Button look="danger" disabled={busy} onClick={() => void discard()}>
              Discard
            </Button>
          )}
        </div>
      </div>
    </Dialog>
  );
}
