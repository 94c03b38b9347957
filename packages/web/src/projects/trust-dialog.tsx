import type { Project } from "@drover/core";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { ProblemText } from "../ui/problem.tsx";
import { useAction } from "../ui/use-action.ts";
import { patchProject } from "./project.ts";

interface TrustDialogProps {
  readonly project: Project;
  readonly onClose: () => void;
  readonly onChanged: () => void;
}

/** Explains what trusting a project means before it is trusted. */
export function TrustDialog({ project, onClose, onChanged }: TrustDialogProps) {
  const { busy, problem, run } = useAction();
  const trust = async () => {
    if (!(await run(() => patchProject(project.id, { trusted: true })))) return;
    onChanged();
    onClose();
  };
  return (
    <Dialog title={`Trust ${project.name}?`} onClose={onClose}>
      <div className="grid gap-3.5">
        <p className="break-all rounded-md border border-line bg-raised px-3 py-2 font-mono text-xs">
          {project.path}
        </p>
        <p>
          Agents can then use configuration from this directory: <strong>hooks</strong> (commands that run
          automatically), <strong>settings</strong>, <strong>tool servers</strong> and instructions.
        </p>
        <p className="text-muted">
          Anyone who can add files there (a colleague, a pull request, a package) can then run commands as
          you. Only trust code that you would run yourself. Agents also work in untrusted projects, with your
          own settings only. Agents that always read a repository's settings say so on the Agents page.
        </p>
        <p className="text-muted">
          Agents still ask for approval according to the session's permission mode.
        </p>
        <ProblemText problem={problem} />
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Not now</Button>
          <Button look="primary" disabled={busy} onClick={() => void trust()}>
            Trust this project
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
