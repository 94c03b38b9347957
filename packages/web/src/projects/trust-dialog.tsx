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

/** Nobody trusts a directory without having read what that means. */
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
          An agent may then use what the files of this directory bring for it: <strong>hooks</strong>, which
          are commands that run by themselves, <strong>settings</strong>, <strong>tool servers</strong> and
          instructions.
        </p>
        <p className="text-muted">
          Whoever can put files there, a colleague, a pull request or a package, can then run commands as you.
          Trust what you would also run by hand. Until then agents use your own settings only, and work all
          the same; those that cannot be kept from a repository's settings say so on the page of agents.
        </p>
        <p className="text-muted">
          What an agent itself wants to do is still asked as the session's permission mode says.
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
