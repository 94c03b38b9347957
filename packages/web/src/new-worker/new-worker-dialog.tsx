import { modeRules, type PermissionMode, type WorkerMode, workerModes } from "@drover/core";
import { type FormEvent, type KeyboardEvent, useRef, useState } from "react";
import { MessageField } from "../completion/message-field.tsx";
import { modeMeaning } from "../format/capability-words.ts";
import { allModes, modeWords } from "../format/words.ts";
import { workerModeWords } from "../format/worker-words.ts";
import { AgentField } from "../new-session/agent-field.tsx";
import { rememberChoice, useChoices } from "../new-session/choices.ts";
import { DirectoryField } from "../new-session/directory-field.tsx";
import { href, navigate } from "../routing/route.ts";
import { useDrover } from "../state/drover.ts";
import { useStore } from "../state/store.ts";
import { readDraft, saveDraft } from "../storage/drafts.ts";
import { Button } from "../ui/button.tsx";
import { Choice } from "../ui/choice.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Field } from "../ui/field.tsx";
import { announce } from "../ui/undo.ts";
import { SpawnProblem } from "./spawn-problem.tsx";
import { TriesField } from "./tries-field.tsx";
import { useSpawn } from "./use-spawn.ts";

const draftKey = "new-worker";

/** Gives a task to one worker, or to several that try it side by side. */
export function NewWorkerDialog({ onClose }: { onClose: () => void }) {
  const drover = useDrover();
  const { sessions, projects } = useStore(drover.sessions.state, (state) => state);
  const choices = useChoices(sessions, projects);
  const [agent, setAgent] = useState<string>();
  const [cwd, setCwd] = useState<string>();
  const [task, setTask] = useState(() => readDraft(draftKey));
  const [mode, setMode] = useState<WorkerMode>("execute");
  const [base, setBase] = useState("");
  const [tries, setTries] = useState(1);
  const [wantedMode, setWantedMode] = useState<PermissionMode>("acceptEdits");
  const field = useRef<HTMLTextAreaElement>(null);
  const { busy, problem, started, spawn } = useSpawn();
  const chosenAgent = agent ?? choices.agent;
  const chosenCwd = (cwd ?? choices.cwd).trim();
  const about = choices.agents.find((one) => one.agent === chosenAgent);
  const offered = about?.modes ?? allModes;
  const permissionMode = offered.includes(wantedMode) ? wantedMode : (offered[0] ?? wantedMode);
  // Drover itself keeps the others from changing files.
  const { changesFiles } = modeRules[mode];
  const isComplete = chosenAgent !== "" && chosenCwd !== "" && task.trim() !== "";

  const start = async () => {
    if (!isComplete || busy) return;
    const wanted = {
      ...{ agent: chosenAgent, prompt: task, cwd: chosenCwd, mode },
      ...(changesFiles ? { permissionMode } : {}),
      ...(base.trim() ? { base: base.trim() } : {}),
    };
    if (!(await spawn(wanted, tries))) return;
    rememberChoice({ agent: chosenAgent, cwd: chosenCwd });
    saveDraft(draftKey, "");
    onClose();
    navigate(href("/board/:batch?"));
    announce(tries === 1 ? "Started a worker" : `Started ${tries} workers`);
  };
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    void start();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) void start();
  };
  return (
    <Dialog title="New worker" onClose={onClose}>
      <form className="grid gap-4" onSubmit={onSubmit}>
        <Field label="Task">
          {(control) => (
            <MessageField
              {...control}
              field={field}
              filesAt={`/api/files?cwd=${encodeURIComponent(chosenCwd)}&`}
              side="below"
              rows={4}
              className="field field-sizing-content max-h-[30vh] min-h-24 resize-none text-base"
              placeholder="What should be done, and how will you know that it is?"
              value={task}
              onChange={(text) => {
                setTask(text);
                saveDraft(draftKey, text);
              }}
              onKeyDown={onKeyDown}
            />
          )}
        </Field>
        <AgentField agents={choices.agents} value={chosenAgent} onChange={setAgent} onLeave={onClose} />
        <DirectoryField directories={choices.directories} value={cwd ?? choices.cwd} onChange={setCwd} />
        <Choice
          legend="Mode"
          options={workerModes.map((value) => ({ value, name: workerModeWords[value].name }))}
          value={mode}
          onChange={setMode}
          about={workerModeWords[mode].meaning}
        />
        <div className="grid gap-4 md:grid-cols-2">
          <Field label="Start from">
            {(control) => (
              <input
                {...control}
                className="field"
                spellCheck={false}
                autoCapitalize="off"
                placeholder="Current commit"
                value={base}
                onChange={(event) => setBase(event.target.value)}
              />
            )}
          </Field>
          <TriesField value={tries} onChange={setTries} disabled={started > 0} />
        </div>
        {changesFiles && (
          <Choice
            legend="Permission mode"
            options={allModes.map((value) => ({
              value,
              name: modeWords[value].name,
              disabled: !offered.includes(value),
            }))}
            value={permissionMode}
            onChange={setWantedMode}
            about={modeMeaning(permissionMode, about?.capabilities)}
          />
        )}
        {/* Stays visible however much is above it. */}
        <div className="sticky bottom-0 -mx-5 -mb-5 grid gap-2 border-line border-t bg-overlay px-5 py-3">
          <SpawnProblem problem={problem} started={started} tries={tries} />
          <div className="flex justify-end gap-2">
            <Button onClick={onClose}>Cancel</Button>
            <Button type="submit" look="primary" disabled={busy || !isComplete}>
              {wordsFor({ tries, started })}
            </Button>
          </div>
        </div>
      </form>
    </Dialog>
  );
}

function wordsFor({ tries, started }: { tries: number; started: number }): string {
  if (started > 0) return `Start the other ${tries - started}`;
  return tries === 1 ? "Start" : `Start ${tries} workers`;
}
