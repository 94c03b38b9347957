import { exactText } from "@drover/core";
import { type FormEvent, useState } from "react";
import { fileCount } from "../format/file-count.ts";
import { Button } from "../ui/button.tsx";
import { Counts } from "../ui/counts.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Field } from "../ui/field.tsx";
import { PathText } from "../ui/path-text.tsx";
import { ProblemText } from "../ui/problem.tsx";
import { useAction } from "../ui/use-action.ts";
import type { FileView } from "./change-set.ts";
import { type DiffEdits, pathsOf } from "./diff-source.ts";
import { StatusMark } from "./status-mark.tsx";

interface CommitDialogProps {
  readonly files: readonly FileView[];
  readonly branch: string | undefined;
  readonly commit: NonNullable<DiffEdits["commit"]>;
  readonly onClose: () => void;
  readonly onCommitted: (commit: string) => void;
}

/** Commits all uncommitted files, or some of them. */
export function CommitDialog({ files, branch, commit, onClose, onCommitted }: CommitDialogProps) {
  const { busy, problem, run } = useAction();
  const [message, setMessage] = useState("");
  const [excluded, setExcluded] = useState<ReadonlySet<string>>(new Set());
  const chosen = files.filter(({ path }) => !excluded.has(path));
  const isComplete = message.trim() !== "" && chosen.length > 0;
  const choose = (path: string, isChosen: boolean) => {
    const next = new Set(excluded);
    if (isChosen) next.delete(path);
    else next.add(path);
    setExcluded(next);
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const paths = chosen.flatMap(pathsOf);
    let made = "";
    const isDone = await run(async () => {
      const answer = await commit(message.trim(), chosen.length === files.length ? undefined : paths);
      if (answer.ok) made = answer.value.commit;
      return answer;
    });
    if (isDone) onCommitted(made);
  };
  return (
    <Dialog title={branch === undefined ? "Commit" : `Commit to ${exactText(branch)}`} onClose={onClose}>
      <form className="grid gap-4" onSubmit={(event) => void submit(event)}>
        <Field label="Message">
          {(control) => (
            <textarea
              {...control}
              rows={3}
              className="field field-sizing-content max-h-[30vh] min-h-20 resize-none"
              value={message}
              onChange={(event) => setMessage(event.target.value)}
              onKeyDown={(event) => {
                const isSend = event.key === "Enter" && (event.ctrlKey || event.metaKey);
                if (isSend && isComplete && !busy) event.currentTarget.form?.requestSubmit();
              }}
            />
          )}
        </Field>
        <fieldset className="min-w-0">
          <legend className="mb-1.5 font-medium">Files</legend>
          <div className="max-h-60 overflow-y-auto rounded-lg border border-line py-1">
            {files.map(({ path, status, added, removed }) => (
              <label
                key={path}
                className="flex min-h-8 items-center gap-2 px-2.5 hover:bg-hover max-md:min-h-10"
              >
                <input
                  type="checkbox"
                  className="size-3.5 shrink-0 accent-ink"
                  checked={!excluded.has(path)}
                  onChange={(event) => choose(path, event.target.checked)}
                />
                <StatusMark status={status} />
                <span className="flex min-w-0 flex-1 font-mono text-xs" title={exactText(path)}>
                  <PathText path={exactText(path)} />
                </span>
                <Counts added={added} removed={removed} />
              </label>
            ))}
          </div>
        </fieldset>
        <ProblemText problem={problem} />
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" disabled={busy || !isComplete}>
            Commit {fileCount(chosen.length)}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
