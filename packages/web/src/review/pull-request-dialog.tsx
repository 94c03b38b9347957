import { exactText, type PullRequested, type Session } from "@drover/core";
import { type FormEvent, useState } from "react";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Field } from "../ui/field.tsx";
import { ProblemText } from "../ui/problem.tsx";
import { announce } from "../ui/undo.ts";
import { useAction } from "../ui/use-action.ts";
import { openPullRequest } from "./requests.ts";

/** Pushes the session's branch and opens a pull request, where a program for that is installed. */
export function PullRequestDialog({ session, onClose }: { session: Session; onClose: () => void }) {
  const { busy, problem, run } = useAction();
  const [title, setTitle] = useState(session.title);
  const [body, setBody] = useState("");
  const [pushed, setPushed] = useState<PullRequested>();
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    await run(async () => {
      const answer = await openPullRequest(session.id, {
        ...(title.trim() === "" ? {} : { title: title.trim() }),
        ...(body.trim() === "" ? {} : { body: body.trim() }),
      });
      if (!answer.ok) return answer;
      if (!answer.value.isOpened) setPushed(answer.value);
      else {
        announce("Opened a pull request");
        onClose();
      }
      return answer;
    });
  };
  if (pushed) return <Pushed pushed={pushed} onClose={onClose} />;
  return (
    <Dialog title="Open a pull request" onClose={onClose}>
      <form className="grid gap-4" onSubmit={(event) => void submit(event)}>
        <p className="text-muted">
          Pushes <code className="font-mono text-ink text-xs">{session.workspace.branch}</code> with your own
          git login.
        </p>
        <Field label="Title">
          {(control) => (
            <input
              {...control}
              className="field"
              value={title}
              onChange={(event) => setTitle(event.target.value)}
            />
          )}
        </Field>
        <Field label="Description">
          {(control) => (
            <textarea
              {...control}
              rows={4}
              placeholder="Optional"
              className="field field-sizing-content max-h-[30vh] min-h-24 resize-none"
              value={body}
              onChange={(event) => setBody(event.target.value)}
            />
          )}
        </Field>
        <ProblemText problem={problem} />
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" disabled={busy}>
            Push and open
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

function Pushed({ pushed, onClose }: { pushed: PullRequested; onClose: () => void }) {
  const { branch, remote, url } = pushed;
  return (
    <Dialog title="Branch pushed" onClose={onClose}>
      <div className="grid gap-4">
        <p role="status">
          <code className="font-mono text-xs">{exactText(branch)}</code> is on {exactText(remote)}.{" "}
          {url === undefined ? "Open the pull request there." : "Open the pull request here:"}
        </p>
        {url !== undefined &&
          (/^https?:\/\//.test(url) ? (
            <a
              className="wrap-anywhere text-accent hover:underline"
              href={url}
              target="_blank"
              rel="noreferrer"
            >
              {url}
            </a>
          ) : (
            <p className="wrap-anywhere font-mono text-xs">{exactText(url)}</p>
          ))}
        <div className="flex justify-end">
          <Button look="primary" onClick={onClose}>
            Done
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
