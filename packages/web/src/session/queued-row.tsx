import type { QueuedMessage } from "@drover/core";
import type { KeyboardEvent } from "react";
import { clockTime, momentTime } from "../format/time.ts";
import { who } from "../format/words.ts";
import { useDrover } from "../state/drover.ts";
import { UpIcon } from "../transcript/icons.tsx";
import { Button, IconButton } from "../ui/button.tsx";
import { CrossIcon, DownIcon, PencilIcon } from "../ui/icons.tsx";
import { ProblemText } from "../ui/problem.tsx";
import { offerUndo } from "../ui/undo.ts";
import { useAction } from "../ui/use-action.ts";
import { useFocusBack } from "../ui/use-focus-back.ts";
import type { QueueAction } from "./use-queue-focus.ts";

/** A queued message that is being edited. */
export interface QueueEdit {
  readonly message: QueuedMessage;
  readonly text: string;
}

interface QueuedRowProps {
  readonly sessionId: string;
  readonly message: QueuedMessage;
  /** Its neighbours, before or after which it can be moved. */
  readonly previous: QueuedMessage | undefined;
  readonly next: QueuedMessage | undefined;
  /** Its new text while it is edited. */
  readonly text: string | undefined;
  /** Undefined ends the edit. */
  readonly onEdit: (edit: QueueEdit | undefined) => void;
  readonly onAction: (action: QueueAction) => void;
}

export function QueuedRow(props: QueuedRowProps) {
  const { sessionId, message, previous, next, text, onEdit, onAction } = props;
  const drover = useDrover();
  const { busy, problem, run } = useAction();
  const { messageId, content, by, at, attachments, notBefore } = message;
  const act = (label: string, request: () => ReturnType<typeof drover.dropQueued>) => {
    if (busy) return;
    onAction({ messageId, label });
    void run(request);
  };
  const remove = async () => {
    const dropped = await drover.dropQueued(sessionId, messageId);
    if (dropped.ok) offerUndo("Message removed", () => drover.putBack(sessionId, message, next?.messageId));
    return dropped;
  };
  return (
    // Takes the focus when the edit ends.
    <li tabIndex={-1} aria-busy={busy} className="py-0.5 pr-1 pl-3">
      {text !== undefined ? (
        <Edit
          text={text}
          onWrite={(written) => onEdit({ message, text: written })}
          onClose={() => onEdit(undefined)}
          onSave={() => run(() => drover.editQueued(sessionId, messageId, text.trim()))}
        />
      ) : (
        <div className="flex items-center gap-0.5">
          <p
            className="min-w-0 flex-1 truncate"
            title={`${content}\n\nQueued ${clockTime(at)} by ${who(by)}`}
          >
            {content}
          </p>
          {attachments && (
            <span className="shrink-0 px-1 text-faint text-xs">
              {attachments.length === 1 ? "1 file" : `${attachments.length} files`}
            </span>
          )}
          {notBefore && (
            <span className="shrink-0 px-1 text-2xs text-muted">Sends at {momentTime(notBefore)}</span>
          )}
          <IconButton
            label="Move up"
            disabled={!previous}
            className="disabled:invisible"
            onClick={() =>
              previous &&
              act("Move up", () => drover.moveQueued(sessionId, messageId, { before: previous.messageId }))
            }
          >
            <UpIcon size={14} />
          </IconButton>
          <IconButton
            label="Move down"
            disabled={!next}
            // A phone has room for one of the two, and moving up is enough to reorder.
            className="disabled:invisible max-md:hidden"
            onClick={() =>
              next &&
              act("Move down", () => drover.moveQueued(sessionId, messageId, { after: next.messageId }))
            }
          >
            <DownIcon size={14} />
          </IconButton>
          <IconButton label="Edit" onClick={() => onEdit({ message, text: content })}>
            <PencilIcon size={14} />
          </IconButton>
          <IconButton label="Remove" onClick={() => act("Remove", remove)}>
            <CrossIcon size={14} />
          </IconButton>
        </div>
      )}
      <ProblemText problem={problem} />
    </li>
  );
}

interface EditProps {
  readonly text: string;
  readonly onWrite: (text: string) => void;
  readonly onSave: () => Promise<boolean>;
  readonly onClose: () => void;
}

function Edit({ text, onWrite, onSave, onClose }: EditProps) {
  useFocusBack();
  const save = async () => {
    if (text.trim() !== "" && (await onSave())) onClose();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Escape") onClose();
    if (event.key !== "Enter" || event.shiftKey) return;
    event.preventDefault();
    void save();
  };
  return (
    <div className="grid gap-2 py-1">
      <textarea
        aria-label="Message"
        className="field field-sizing-content max-h-40 resize-none"
        // biome-ignore lint/a11y/noAutofocus: the user has just opened it
        autoFocus
        value={text}
        onChange={(event) => onWrite(event.target.value)}
        onKeyDown={onKeyDown}
      />
      <div className="flex gap-2">
        <Button disabled={text.trim() === ""} onClick={() => void save()}>
          Save
        </Button>
        <Button look="quiet" onClick={onClose}>
          Cancel
        </Button>
      </div>
    </div>
  );
}
