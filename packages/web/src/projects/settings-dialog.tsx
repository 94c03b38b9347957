import type { Project } from "@drover/core";
import { type FormEvent, useState } from "react";
import { Button } from "../ui/button.tsx";
import { Choice } from "../ui/choice.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Field } from "../ui/field.tsx";
import { ProblemText } from "../ui/problem.tsx";
import { useAction } from "../ui/use-action.ts";
import { patchProject } from "./project.ts";
import { formOf, patchOf, type SettingsForm, type SettingsProblems } from "./settings-form.ts";

interface SettingsDialogProps {
  readonly project: Project;
  readonly onClose: () => void;
  readonly onChanged: () => void;
}

const abouts: Readonly<Record<SettingsForm["workspace"], string>> = {
  default: "As sessions.workspace says in drover.yaml.",
  local: "Agents change the files you have open, together with everyone else who works there.",
  worktree: "Each session gets a checkout of its own on a new branch. Your files stay as they are.",
};

const commandFields = [
  {
    name: "setup",
    label: "Setup commands",
    placeholder: "npm ci",
    help: "Run in each new worktree before its first turn. One per line, without a shell.",
  },
  {
    name: "checks",
    label: "Checks",
    placeholder: "npm test",
    help: "Must succeed on the result before it is merged. One per line, without a shell.",
  },
] as const;

/** How a project's sessions work. */
export function SettingsDialog({ project, onClose, onChanged }: SettingsDialogProps) {
  const { busy, problem, run } = useAction();
  const [before] = useState(() => formOf(project));
  const [form, setForm] = useState(before);
  const [problems, setProblems] = useState<SettingsProblems>({});
  const change = (changed: Partial<SettingsForm>) => setForm((now) => ({ ...now, ...changed }));
  const save = async (event: FormEvent) => {
    event.preventDefault();
    const patch = patchOf(before, form);
    setProblems(patch.ok ? {} : patch.error);
    if (!patch.ok || !(await run(() => patchProject(project.id, patch.value)))) return;
    onChanged();
    onClose();
  };
  return (
    <Dialog title={`Sessions of ${project.name}`} onClose={onClose}>
      <form className="grid gap-4" onSubmit={(event) => void save(event)}>
        <Choice
          legend="New sessions work in"
          options={[
            { value: "default", name: "Default" },
            { value: "local", name: "This directory" },
            { value: "worktree", name: "Worktrees" },
          ]}
          value={form.workspace}
          onChange={(workspace) => change({ workspace })}
          about={abouts[form.workspace]}
        />
        {commandFields.map(({ name, label, placeholder, help }) => (
          <Field key={name} label={label} help={help} problem={problems[name]}>
            {(control) => (
              <textarea
                {...control}
                className="field field-sizing-content max-h-[20vh] min-h-14 resize-none font-mono text-xs"
                rows={2}
                placeholder={placeholder}
                autoCapitalize="off"
                spellCheck={false}
                value={form[name]}
                onChange={(event) => change({ [name]: event.target.value })}
              />
            )}
          </Field>
        ))}
        <Field
          label="Merge into"
          help="The branch for the work of its worktrees. Empty: the one that each of them started from."
        >
          {(control) => (
            <input
              {...control}
              className="field font-mono text-xs"
              autoCapitalize="off"
              spellCheck={false}
              maxLength={4096}
              value={form.target}
              onChange={(event) => change({ target: event.target.value })}
            />
          )}
        </Field>
        <ProblemText problem={problem} />
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" disabled={busy}>
            Save
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
