import type { Project } from "@drover/core";
import { type FormEvent, useState } from "react";
import { Button, IconButton } from "../ui/button.tsx";
import { Field } from "../ui/field.tsx";
import { CrossIcon } from "../ui/icons.tsx";
import { ProblemText } from "../ui/problem.tsx";
import { useAction } from "../ui/use-action.ts";
import { patchProject } from "./project.ts";

interface EnvironmentListProps {
  readonly project: Project;
  readonly onChanged: () => void;
}

/** The names of the environment variables that agents get in this project. */
export function EnvironmentList({ project, onChanged }: EnvironmentListProps) {
  const { busy, problem, run } = useAction();
  const [adding, setAdding] = useState(false);
  const remove = async (name: string) => {
    if (await run(() => patchProject(project.id, { env: { [name]: null } }))) onChanged();
  };
  return (
    <div className="border-line border-t px-3.5 py-1">
      <div className="flex flex-wrap items-center gap-1.5">
        <h3 className="mr-1 text-muted text-xs">Environment</h3>
        {project.env.length === 0 && !adding && <span className="text-faint text-xs">No variables</span>}
        {project.env.map((name) => (
          <span key={name} className="inline-flex items-center rounded-md border border-line bg-raised pl-2">
            <code className="font-mono text-xs">{name}</code>
            <IconButton label={`Remove ${name}`} disabled={busy} onClick={() => void remove(name)}>
              <CrossIcon size={12} />
            </IconButton>
          </span>
        ))}
        {!adding && (
          <Button look="quiet" className="-ml-1.5 max-md:-ml-3" onClick={() => setAdding(true)}>
            Add variable
          </Button>
        )}
      </div>
      {adding && <NewVariable project={project} onChanged={onChanged} onClose={() => setAdding(false)} />}
      <ProblemText problem={problem} />
    </div>
  );
}

const validName = "[A-Za-z_][A-Za-z0-9_]*";

function NewVariable({
  project,
  onChanged,
  onClose,
}: EnvironmentListProps & { readonly onClose: () => void }) {
  const { busy, problem, run } = useAction();
  const [name, setName] = useState("");
  const [value, setValue] = useState("");
  const save = async (event: FormEvent) => {
    event.preventDefault();
    if (!(await run(() => patchProject(project.id, { env: { [name]: value } })))) return;
    onChanged();
    onClose();
  };
  return (
    <form className="mt-1 grid gap-2 pb-2" onSubmit={(event) => void save(event)}>
      <div className="flex items-center gap-2 max-md:flex-wrap">
        <Field label="Variable name" hideLabel className="max-md:w-full md:w-44">
          {(control) => (
            <input
              {...control}
              className="field font-mono text-xs"
              placeholder="NAME"
              // biome-ignore lint/a11y/noAutofocus: the person has just opened it
              autoFocus
              required
              pattern={validName}
              title="Letters, digits and _; must not start with a digit"
              autoCapitalize="off"
              spellCheck={false}
              value={name}
              onChange={(event) => setName(event.target.value)}
            />
          )}
        </Field>
        <Field label="Variable value" hideLabel className="max-md:w-full md:flex-1">
          {(control) => (
            <input
              {...control}
              type="password"
              autoComplete="off"
              className="field font-mono text-xs"
              placeholder="Value"
              value={value}
              onChange={(event) => setValue(event.target.value)}
            />
          )}
        </Field>
        <Button type="submit" look="primary" disabled={busy}>
          Set
        </Button>
        <Button look="quiet" onClick={onClose}>
          Cancel
        </Button>
      </div>
      <p className="text-faint text-xs">
        Applies to agents started in this project from now on. Drover never shows the value again.
      </p>
      <ProblemText problem={problem} />
    </form>
  );
}
