import type { DirectoryWorkspace, WorkspaceMode } from "@drover/core";
import { useMatches } from "../completion/use-matches.ts";
import { Choice } from "../ui/choice.tsx";
import { Field } from "../ui/field.tsx";

export interface WorkspaceChoice {
  /** Undefined: the default of the directory. */
  readonly mode?: WorkspaceMode;
  /** Branch, tag or commit; empty for the commit that the directory is on. */
  readonly base: string;
  /** The part of the branch after `drover/`; empty for a generated one. */
  readonly name: string;
}

/** Where a session in this directory would work, unless it asks for another place; undefined until known. */
export function useWorkspaceOf(cwd: string): DirectoryWorkspace | undefined {
  const query = new URLSearchParams({ cwd });
  return useMatches<DirectoryWorkspace>(cwd === "" ? undefined : `/api/directories/workspace?${query}`);
}

interface WorkspaceFieldProps {
  readonly mode: WorkspaceMode;
  readonly value: WorkspaceChoice;
  readonly onChange: (value: WorkspaceChoice) => void;
}

const about: Readonly<Partial<Record<WorkspaceMode, string>>> = {
  local: "The agent changes the files you have open, together with everyone else who works there.",
  worktree: "A checkout of its own on a new branch. Your files, and other sessions, stay as they are.",
};

/** Where the session works: the directory itself, or a worktree of it. */
export function WorkspaceField({ mode, value, onChange }: WorkspaceFieldProps) {
  return (
    <div className="grid gap-3">
      <Choice
        legend="Work in"
        options={[
          { value: "local", name: "This directory" },
          { value: "worktree", name: "A worktree of its own" },
        ]}
        value={mode}
        onChange={(chosen: WorkspaceMode) => onChange({ ...value, mode: chosen })}
        about={about[mode]}
      />
      {mode === "worktree" && (
        <div className="grid gap-3 md:grid-cols-2">
          <Field label="Start from">
            {(control) => (
              <input
                {...control}
                className="field"
                spellCheck={false}
                autoCapitalize="off"
                placeholder="Current commit"
                value={value.base}
                onChange={(event) => onChange({ ...value, base: event.target.value })}
              />
            )}
          </Field>
          <Field label="Branch">
            {(control) => (
              <div className="relative">
                <span className="pointer-events-none absolute inset-y-0 left-2.5 flex items-center text-faint">
                  drover/
                </span>
                <input
                  {...control}
                  className="field pl-[3.9rem]!"
                  spellCheck={false}
                  autoCapitalize="off"
                  placeholder="generated"
                  value={value.name}
                  onChange={(event) => onChange({ ...value, name: event.target.value })}
                />
              </div>
            )}
          </Field>
        </div>
      )}
    </div>
  );
}
