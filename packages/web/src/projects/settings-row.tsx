import type { Project } from "@drover/core";
import { useState } from "react";
import { useDrover } from "../state/drover.ts";
import { useResource } from "../state/use-resource.ts";
import { Button } from "../ui/button.tsx";
import { SettingsDialog } from "./settings-dialog.tsx";
import { asPlace, summaryOf } from "./settings-form.ts";

interface SettingsRowProps {
  readonly project: Project;
  readonly onChanged: () => void;
}

/** Where the project's new sessions work, and which commands run for them. */
export function SettingsRow({ project, onChanged }: SettingsRowProps) {
  const [open, setOpen] = useState(false);
  const { value: config } = useResource(useDrover().config);
  const byDefault = asPlace(config?.settings["sessions.workspace"]?.value);
  return (
    <div className="flex flex-wrap items-center gap-1.5 border-line border-t px-3.5 py-1">
      <h3 className="mr-1 text-muted text-xs">New sessions</h3>
      <span className="text-xs">{summaryOf(project, byDefault).join(" · ")}</span>
      <Button look="quiet" className="-ml-1.5 max-md:-ml-3" onClick={() => setOpen(true)}>
        Change…
      </Button>
      {open && <SettingsDialog project={project} onClose={() => setOpen(false)} onChanged={onChanged} />}
    </div>
  );
}
