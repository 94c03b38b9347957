import type { Session } from "@drover/core";
import { href, navigate } from "../routing/route.ts";
import { useDrover } from "../state/drover.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { ProblemText } from "../ui/problem.tsx";
import { useAction } from "../ui/use-action.ts";

export function DeleteDialog({ session, onClose }: { session: Session; onClose: () => void }) {
  const drover = useDrover();
  const { busy, problem, run } = useAction();
  const remove = async () => {
    if (!(await run(() => drover.remove(session.id)))) return;
    onClose();
    navigate(href("/"));
  };
  return (
    <Dialog title={`Delete “${session.title || session.name}”?`} onClose={onClose}>
      <div className="grid gap-4">
        <p className="text-muted">
          This stops the agent and removes the session from the list. Files in the working directory are kept.
        </p>
        <ProblemText problem={problem} />
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button look="danger" disabled={busy} onClick={() => void remove()}>
            Delete session
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
