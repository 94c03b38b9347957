import type { Project } from "@drover/core";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { ProblemText } from "../ui/problem.tsx";
import { useAction } from "../ui/use-action.ts";
import { removeProject } from "./project.ts";

interface RemoveDialogProps {
  readonly project: Project;
  readonly onClose: () => void;
  readonly onChanged: () => void;
}

export function RemoveDialog({ project, onClose, onChanged }: RemoveDialogProps) {
  const { busy, problem, run } = useAction();
  const remove = async () => {
    if (!(await run(() => removeProject(project.id)))) return;
    onChanged();
    onClose();
  };
  return (
    <Dialog title={`Remove ${project.name}?`} onClose={onClose}>
      <div className="grid gap-4">
        <p className="text-muted">
          Drover forgets the project's name, trust, settings and variables. The directory and its sessions are
          not changed. The next session there adds the project again, untrusted.
        </p>
        <ProblemText problem={problem} />
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button look="danger" disabled={busy} onClick={() => void remove()}>
            Remove project
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
