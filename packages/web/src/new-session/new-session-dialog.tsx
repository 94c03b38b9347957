import type { PermissionMode } from "@drover/core";
import { type FormEvent, type KeyboardEvent, useId, useState } from "react";
import { modeWords } from "../format/words.ts";
import { useDrover } from "../state/drover.ts";
import { href, navigate } from "../state/route.ts";
import { useStore } from "../state/store.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { ProblemText } from "../ui/problem.tsx";
import { useAction } from "../ui/use-action.ts";
import { AgentField } from "./agent-field.tsx";
import { rememberChoice, useChoices } from "./choices.ts";

export function NewSessionDialog({ onClose }: { onClose: () => void }) {
  const drover = useDrover();
  const recent = useStore(drover.sessions.state, ({ sessions }) => sessions);
  const choices = useChoices(recent);
  const { busy, problem, run } = useAction();
  const [agent, setAgent] = useState<string>();
  const [cwd, setCwd] = useState<string>();
  const [permissionMode, setPermissionMode] = useState<PermissionMode>("ask");
  const [prompt, setPrompt] = useState("");
  const id = useId();
  const wanted = { agent: agent ?? choices.agent, cwd: cwd ?? choices.cwd, permissionMode };
  const complete = wanted.agent !== "" && wanted.cwd.trim() !== "" && prompt.trim() !== "";

  const start = async () => {
    if (!complete || busy) return;
    await run(async () => {
      const created = await drover.create({ ...wanted, cwd: wanted.cwd.trim() });
      if (!created.ok) return created;
      const { session } = created.value;
      rememberChoice({ agent: session.agent, cwd: session.cwd });
      drover.outbox.send(session.id, prompt);
      onClose();
      navigate(href.session(session.name));
      return created;
    });
  };
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    void start();
  };
  const onPromptKey = (event: KeyboardEvent) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) void start();
  };
  return (
    <Dialog title="New session" onClose={onClose}>
      <form className="grid gap-4" onSubmit={onSubmit}>
        <div className="grid gap-1.5">
          <label htmlFor={`${id}-prompt`} className="font-medium">
            Prompt
          </label>
          <textarea
            id={`${id}-prompt`}
            autoFocus
            rows={4}
            className="field field-sizing-content max-h-[30vh] min-h-24 resize-none text-base"
            placeholder="What should the agent do? The demo agent takes “tour”."
            value={prompt}
            onChange={(event) => setPrompt(event.target.value)}
            onKeyDown={onPromptKey}
          />
        </div>
        <AgentField agents={choices.agents} value={wanted.agent} onChange={setAgent} />
        <div className="grid gap-1.5">
          <label htmlFor={`${id}-cwd`} className="font-medium">
            Working directory
          </label>
          <input
            id={`${id}-cwd`}
            className="field font-mono text-xs"
            list={`${id}-directories`}
            spellCheck={false}
            autoCapitalize="off"
            placeholder="/home/you/project"
            value={wanted.cwd}
            onChange={(event) => setCwd(event.target.value)}
          />
          <datalist id={`${id}-directories`}>
            {choices.directories.map((directory) => (
              <option key={directory} value={directory} />
            ))}
          </datalist>
        </div>
        <ModeField value={permissionMode} onChange={setPermissionMode} />
        <ProblemText problem={problem} />
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" disabled={busy || !complete}>
            Start
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

const modes = Object.keys(modeWords) as PermissionMode[];

interface ModeFieldProps {
  readonly value: PermissionMode;
  readonly onChange: (mode: PermissionMode) => void;
}

function ModeField({ value, onChange }: ModeFieldProps) {
  return (
    <fieldset className="grid gap-1.5">
      <legend className="mb-1.5 font-medium">Permission mode</legend>
      <div className="grid grid-cols-4 gap-0.5 rounded-md bg-track p-0.5 max-md:grid-cols-2">
        {modes.map((mode) => (
          <label
            key={mode}
            className="rounded-sm px-2 py-1 text-center text-muted text-xs has-checked:bg-thumb has-checked:font-medium has-checked:text-ink has-checked:shadow-sm has-focus-visible:outline-2 has-focus-visible:outline-accent max-md:py-2"
          >
            <input
              type="radio"
              name="permissionMode"
              className="sr-only"
              checked={mode === value}
              onChange={() => onChange(mode)}
            />
            {modeWords[mode].name}
          </label>
        ))}
      </div>
      <p className={`text-xs ${value === "never" ? "text-warn" : "text-muted"}`}>
        {modeWords[value].meaning}
      </p>
    </fieldset>
  );
}
