import type { Project } from "@drover/core";
import { type FormEvent, useEffect, useState } from "react";
import { PathField } from "../completion/path-field.tsx";
import { useDrover } from "../state/drover.ts";
import { useAnswer } from "../state/use-resource.ts";
import { api } from "../transport/http.ts";
import { Button } from "../ui/button.tsx";
import { Field } from "../ui/field.tsx";
import { Page } from "../ui/page.tsx";
import { ProblemText } from "../ui/problem.tsx";
import { useAction } from "../ui/use-action.ts";
import { ProjectCard } from "./project-card.tsx";

/** The projects, with their trust, settings of sessions and environment variables. */
export function ProjectsPage() {
  const { value, problem, reload } = useAnswer<{ projects: Project[] }>("/api/projects");
  const { sessions } = useDrover();
  // The sidebar groups sessions by project; names may have changed here.
  useEffect(() => () => void sessions.loadProjects(), [sessions]);
  return (
    <Page
      title="Projects"
      about="A directory becomes a project the first time a session runs in it. A project is not trusted until you trust it."
    >
      <ProblemText problem={problem} />
      {value && (
        <div className="grid gap-3">
          {value.projects.length === 0 && (
            <p className="rounded-lg border border-line border-dashed px-4 py-6 text-center text-muted">
              No projects yet. Start a session in a directory, or add one below.
            </p>
          )}
          {value.projects.map((project) => (
            <ProjectCard key={project.id} project={project} onChanged={reload} />
          ))}
          <AddProject onAdded={reload} />
        </div>
      )}
    </Page>
  );
}

function AddProject({ onAdded }: { onAdded: () => void }) {
  const { busy, problem, run } = useAction();
  const [path, setPath] = useState("");
  const add = async (event: FormEvent) => {
    event.preventDefault();
    if (!(await run(() => api("POST", "/api/projects", { path: path.trim() })))) return;
    setPath("");
    onAdded();
  };
  return (
    <form className="mt-3 flex items-start gap-2" onSubmit={(event) => void add(event)}>
      <Field label="New project directory" hideLabel problem={problem} className="flex-1">
        {(control) => (
          <PathField
            {...control}
            value={path}
            onChange={setPath}
            onKeyDown={(event) => {
              if (event.key === "Escape") event.currentTarget.blur();
            }}
          />
        )}
      </Field>
      <Button type="submit" disabled={busy || path.trim() === ""}>
        Add project
      </Button>
    </form>
  );
}
