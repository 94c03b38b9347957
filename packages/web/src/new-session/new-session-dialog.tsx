import type { PermissionMode } from "@drover/core";
import { type FormEvent, type KeyboardEvent, useRef, useState } from "react";
import { AttachButton } from "../attachments/attach-button.tsx";
import { hasImages, takesNoImages } from "../attachments/attached.ts";
import { AttachedFiles } from "../attachments/attached-files.tsx";
import { useAttachments } from "../attachments/use-attachments.ts";
import { MessageField } from "../completion/message-field.tsx";
import { modeMeaning } from "../format/capability-words.ts";
import { allModes, modeWords } from "../format/words.ts";
import { navigate } from "../routing/route.ts";
import { sessionHref } from "../session/session-href.ts";
import { useDrover } from "../state/drover.ts";
import { useStore } from "../state/store.ts";
import { readDraft, saveDraft } from "../storage/drafts.ts";
import { Button } from "../ui/button.tsx";
import { Choice } from "../ui/choice.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Field } from "../ui/field.tsx";
import { useAction } from "../ui/use-action.ts";
import { AgentField } from "./agent-field.tsx";
import { rememberChoice, useChoices } from "./choices.ts";
import { CreateProblem } from "./create-problem.tsx";
import { DirectoryField } from "./directory-field.tsx";
import { draftOfNew, sendFirst } from "./first-message.ts";
import { type More, MoreFields } from "./more-fields.tsx";
import { useWorkspaceOf, type WorkspaceChoice, WorkspaceField } from "./workspace-field.tsx";

/** Initial values for a new session; the last choice supplies the others. */
export interface Beginning {
  readonly prompt: string;
  readonly agent?: string;
}

interface NewSessionDialogProps {
  readonly beginning: Beginning;
  readonly onClose: () => void;
}

export function NewSessionDialog({ beginning, onClose }: NewSessionDialogProps) {
  const drover = useDrover();
  const { sessions, projects } = useStore(drover.sessions.state, (state) => state);
  const choices = useChoices(sessions, projects);
  const { busy, problem, run } = useAction();
  const [agent, setAgent] = useState(beginning.agent);
  const [cwd, setCwd] = useState<string>();
  const [wantedMode, setWantedMode] = useState<PermissionMode>("ask");
  const [prompt, setPrompt] = useState(beginning.prompt || readDraft(draftOfNew));
  const [more, setMore] = useState<More>({ model: "", agentSessionId: "" });
  const [showsMore, setShowsMore] = useState(false);
  const field = useRef<HTMLTextAreaElement>(null);
  const chosenAgent = agent ?? choices.agent;
  const chosenCwd = cwd ?? choices.cwd;
  const about = choices.agents.find((one) => one.agent === chosenAgent);
  const takesImages = about?.capabilities.images ?? true;
  const { files, ...attachments } = useAttachments(draftOfNew, takesImages);
  const offered = about?.modes ?? allModes;
  const permissionMode = offered.includes(wantedMode) ? wantedMode : (offered[0] ?? wantedMode);
  // Continuing a conversation does not need a prompt.
  const hasMessage = prompt.trim() !== "" || (more.agentSessionId !== "" && files.length === 0);
  const isComplete = chosenAgent !== "" && chosenCwd.trim() !== "" && hasMessage;

  const place = useWorkspaceOf(chosenCwd.trim());
  const [choice, setChoice] = useState<WorkspaceChoice>({ base: "", name: "" });
  // A conversation belongs to the directory it began in.
  const canChoosePlace = place?.repository !== undefined && more.agentSessionId === "";
  const mode = canChoosePlace ? (choice.mode ?? place.workspace) : "local";

  const create = async (reattach = false) => {
    const { model, agentSessionId } = more;
    const { base, name } = choice;
    if (!takesImages && hasImages(files)) return takesNoImages;
    const created = await drover.create({
      agent: chosenAgent,
      cwd: chosenCwd.trim(),
      permissionMode,
      ...(model.trim() ? { model: model.trim() } : {}),
      ...(agentSessionId ? { agentSessionId } : {}),
      ...(place ? { workspace: mode } : {}),
      ...(mode === "worktree" && base.trim() ? { base: base.trim() } : {}),
      ...(mode === "worktree" && name.trim() ? { name: name.trim() } : {}),
      ...(reattach ? { reattach } : {}),
    });
    if (!created.ok) return created;
    const { session } = created.value;
    rememberChoice({ agent: session.agent, cwd: session.workspace.projectDir });
    saveDraft(draftOfNew, "");
    await sendFirst(drover.outbox, { sessionId: session.id, content: prompt, files });
    onClose();
    navigate(sessionHref(session.name));
    return created;
  };
  const start = () => {
    if (isComplete && !busy) void run(() => create());
  };
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    start();
  };
  const onPromptKey = (event: KeyboardEvent) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) start();
  };
  return (
    <Dialog title="New session" onClose={onClose}>
      <form className="grid gap-4" onSubmit={onSubmit} {...attachments.dropTarget}>
        <Field label="Prompt" problem={attachments.problem}>
          {(control) => (
            <MessageField
              {...control}
              field={field}
              filesAt={`/api/files?cwd=${encodeURIComponent(chosenCwd.trim())}&`}
              side="below"
              rows={4}
              className="field field-sizing-content max-h-[30vh] min-h-24 resize-none text-base"
              placeholder="What should the agent do? Try “tour” with the demo agent."
              value={prompt}
              onChange={(text) => {
                setPrompt(text);
                saveDraft(draftOfNew, text);
              }}
              onKeyDown={onPromptKey}
              onPaste={attachments.onPaste}
            />
          )}
        </Field>
        <AttachedFiles draft={draftOfNew} files={files} />
        <AgentField agents={choices.agents} value={chosenAgent} onChange={setAgent} onLeave={onClose} />
        <DirectoryField directories={choices.directories} value={chosenCwd} onChange={setCwd} />
        {canChoosePlace && <WorkspaceField mode={mode} value={choice} onChange={setChoice} />}
        <Choice
          legend="Permission mode"
          options={allModes.map((mode) => ({
            value: mode,
            name: modeWords[mode].name,
            disabled: !offered.includes(mode),
          }))}
          value={permissionMode}
          onChange={setWantedMode}
          about={
            <span
              className={
                permissionMode === "never" || about?.capabilities.heldByMode === false ? "text-warn" : ""
              }
            >
              {modeMeaning(permissionMode, about?.capabilities)}
            </span>
          }
        />
        <MoreFields
          about={about}
          cwd={chosenCwd.trim()}
          value={more}
          open={showsMore}
          onOpen={setShowsMore}
          onChange={setMore}
        />
        {/* Stays visible however much is expanded above it. */}
        <div className="sticky bottom-0 -mx-5 -mb-5 grid gap-2 border-line border-t bg-overlay px-5 py-3">
          <CreateProblem problem={problem} busy={busy} onReattach={() => void run(() => create(true))} />
          <div className="flex justify-end gap-2">
            <span className="mr-auto">
              <AttachButton onFiles={attachments.add} />
            </span>
            <Button onClick={onClose}>Cancel</Button>
            <Button type="submit" look="primary" disabled={busy || !isComplete}>
              Start
            </Button>
          </div>
        </div>
      </form>
    </Dialog>
  );
}
