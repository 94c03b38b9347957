import type { Project } from "@drover/core";
import { useState } from "react";
import { Button } from "../ui/button.tsx";
import { Field } from "../ui/field.tsx";
import { Menu } from "../ui/menu.tsx";
import { PathText } from "../ui/path-text.tsx";
import { ProblemText } from "../ui/problem.tsx";
import { useAction } from "../ui/use-action.ts";
import { EnvironmentList } from "./environment-list.tsx";
import { patchProject } from "./project.ts";
import { RemoveDialog } from "./remove-dialog.tsx";
import { SettingsRow } from "./settings-row.tsx";
import { TrustDialog } from "./trust-dialog.tsx";

interface ProjectCardProps {
  readonly project: Project;
  readonly onChanged: () => void;
}

type Open = "trust" | "remove" | "rename";

export function ProjectCard({ project, onChanged }: ProjectCardProps) {
  const { id, name, path, trusted } = project;
  const { busy, problem, run } = useAction();
  const [open, setOpen] = useState<Open>();
  const close = () => setOpen(undefined);
  const distrust = async () => {
    if (await run(() => patchProject(id, { trusted: false }))) onChanged();
  };
  return (
    <section aria-label={name} className="rounded-lg border border-line">
      <header className="flex items-center gap-2 px-3.5 py-2.5">
        <div className="min-w-0 flex-1">
          {open === "rename" ? (
            <Rename project={project} onClose={close} onChanged={onChanged} />
          ) : (
            <h2 className="truncate font-medium">{name}</h2>
          )}
          <p className="flex font-mono text-faint text-xs" title={path}>
            <PathText path={path} />
          </p>
        </div>
        <span className={`text-xs max-md:hidden ${trusted ? "text-good" : "text-muted"}`}>
          {trusted ? "Trusted" : "Not trusted"}
        </span>
        {trusted ? (
          <Button disabled={busy} onClick={() => void distrust()}>
            Stop trusting
          </Button>
        ) : (
          <Button onClick={() => setOpen("trust")}>Trust…</Button>
        )}
        <Menu
          label={`More actions for ${name}`}
          entries={[
            { text: "Rename", onChoose: () => setOpen("rename") },
            { text: "Remove…", dangerous: true, onChoose: () => setOpen("remove") },
          ]}
        />
      </header>
      {problem && (
        <div className="px-3.5 pb-2">
          <ProblemText problem={problem} />
        </div>
      )}
      <SettingsRow project={project} onChanged={onChanged} />
      <EnvironmentList project={project} onChanged={onChanged} />
      {open === "trust" && <TrustDialog project={project} onClose={close} onChanged={onChanged} />}
      {open === "remove" && <RemoveDialog project={project} onClose={close} onChanged={onChanged} />}
    </section>
  );
}

function Rename({ project, onClose, onChanged }: ProjectCardProps & { readonly onClose: () => void }) {
  const { problem, run } = useAction();
  const [name, setName] = useState(project.name);
  const save = async () => {
    if (!(await run(() => patchProject(project.id, { name: name.trim() })))) return;
    onChanged();
    onClose();
  };
  return (
    <form
      className="flex items-center gap-2 pb-1"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <Field label="New name" hideLabel problem={problem} className="flex-1">
        {(control) => (
          <input
            {...control}
            className="field"
            // biome-ignore lint/a11y/noAutofocus: the person has just opened it
            autoFocus
            maxLength={200}
            value={name}
            onChange={(event) => setName(event.target.value)}
            onKeyDown={(event) => {
              if (event.key === "Escape") onClose();
            }}
          />
        )}
      </Field>
      <Button type="submit" disabled={name.trim() === ""}>
        Save
      </Button>
    </form>
  );
}
