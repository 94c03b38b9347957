import type { Project } from "@drover/core";
import { useState } from "react";
import { Button } from "../ui/button.tsx";
import { SettingsDialog } from "./settings-dialog.tsx";
import { summaryOf } from "./settings-form.ts";

interface SettingsRowProps {
  readonly project: Project;
  readonly onChanged: () => void;
}

/** Where the project's new sessions work, and which commands run for them. */
export function SettingsRow({ project, onChanged }: SettingsRowProps) {
  const [open, setOpen] = useState(false);
  return (
    <div className="flex flex-wrap items-center gap-1.5 border-line border-t px-3.5 py-1">
      <h3 className="mr-1 text-muted text-xs">Sessions</h3>
      <span className="text-xs">{summaryOf(project).join(" · ")}</span>
      <Button look="quiet" className="-ml-1.5 max-md:-ml-3" onClick={() => setOpen(true)}>
        Change…
      </Button>
      {open && <SettingsDialog project={project} onClose={() => setOpen(false)} onChanged={onChanged} />}
    </div>
  );
}
