import { exactText, type Mergeability, type MergeStrategy, type Session, shellWord } from "@drover/core";
import { type FormEvent, useEffect, useState } from "react";
import { useDrover } from "../state/drover.ts";
import { useStore } from "../state/store.ts";
import type { Problem } from "../transport/wire.ts";
import { Button } from "../ui/button.tsx";
import { Choice } from "../ui/choice.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Field } from "../ui/field.tsx";
import { ProblemText } from "../ui/problem.tsx";
import { announce } from "../ui/undo.ts";
import { useAction } from "../ui/use-action.ts";
import { Obstacles } from "./obstacles.tsx";
import { dryRun, merge } from "./requests.ts";

const about: Readonly<Record<MergeStrategy, string>> = {
  merge: "Keeps the session's commits, below a merge commit.",
  squash: "Makes one commit of everything.",
};

/** What a merge would do; undefined while git is asked. */
type Outlook = { readonly can: Mergeability } | { readonly problem: Problem } | undefined;

interface MergeDialogProps {
  readonly session: Session;
  /** What the person has reviewed, and therefore what is merged. */
  readonly work: string;
  readonly onClose: () => void;
}

/** Merges the work into a branch, after showing what would happen. */
export function MergeDialog({ session, work, onClose }: MergeDialogProps) {
  const { id, name, title, workspace } = session;
  const { busy, problem, run } = useAction();
  const [strategy, setStrategy] = useState<MergeStrategy>("merge");
  const [message, setMessage] = useState("");
  /** Undefined until the server has named the target or a person does. */
  const [typed, setTyped] = useState<string>();
  const { outlook, into, look } = useOutlook(id);
  const target = typed ?? (outlook && "can" in outlook ? outlook.can.into : into) ?? "";
  const can = outlook && "can" in outlook && outlook.can.into === target ? outlook.can : undefined;
  const isPossible = can?.mergeable && can.ahead > 0 && !can.checkout?.inTheWay.length;
  // A target that git was not asked about yet is checked by the server.
  const isNew = typed !== undefined && typed.trim() !== "" && !can && typed !== into;
  const isReady = !busy && (isPossible || isNew);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (!isReady) return;
    const isDone = await run(async () => {
      const words = message.trim() === "" ? {} : { message: message.trim() };
      const answer = await merge(id, { into: target.trim(), strategy, work, ...words });
      if (answer.ok) {
        const { commit, into: branch } = answer.value;
        announce(
          commit === undefined
            ? `In line to merge into ${branch}`
            : `Merged into ${branch} as ${commit.slice(0, 7)}`,
        );
      } else look(target.trim());
      return answer;
    });
    if (isDone) onClose();
  };
  const ownTitle = title || name;
  return (
    <Dialog title={`Merge ${exactText(workspace.branch ?? name)}`} onClose={onClose}>
      <form className="grid gap-4" onSubmit={(event) => void submit(event)}>
        <Field label="Into" problem={outlook && "problem" in outlook ? outlook.problem : undefined}>
          {(control) => (
            <input
              {...control}
              className="field font-mono"
              autoComplete="off"
              spellCheck={false}
              value={target}
              onChange={(event) => setTyped(event.target.value)}
              onBlur={() => {
                const wanted = typed?.trim();
                if (wanted && wanted !== into) look(wanted);
              }}
            />
          )}
        </Field>
        <Choice
          legend="As"
          options={[
            { value: "merge", name: "Merge commit" },
            { value: "squash", name: "One squashed commit" },
          ]}
          value={strategy}
          onChange={setStrategy}
          about={about[strategy]}
        />
        <Field label="Message">
          {(control) => (
            <textarea
              {...control}
              rows={2}
              placeholder={strategy === "squash" ? ownTitle : `Merge ${workspace.branch}: ${ownTitle}`}
              className="field field-sizing-content max-h-[25vh] min-h-14 resize-none"
              value={message}
              onChange={(event) => setMessage(event.target.value)}
            />
          )}
        </Field>
        <div aria-live="polite">
          {can ? (
            <Obstacles {...{ session, can }} onAgain={() => look(target)} onUpdated={onClose} />
          ) : (
            !outlook && <p className="text-muted">Checking…</p>
          )}
        </div>
        {isPossible && <Checks session={session} />}
        <ProblemText problem={problem?.files ? undefined : problem} />
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" disabled={!isReady}>
            Merge
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

/** Asks git what a merge would do, at first into the branch that the server chooses. */
function useOutlook(sessionId: string) {
  const [asked, setAsked] = useState<{ readonly into: string | undefined }>({ into: undefined });
  const [outlook, setOutlook] = useState<Outlook>();
  useEffect(() => {
    let isLatest = true;
    setOutlook(undefined);
    void dryRun(sessionId, asked.into).then((answer) => {
      if (isLatest) setOutlook(answer.ok ? { can: answer.value } : { problem: answer.error });
    });
    return () => {
      isLatest = false;
    };
  }, [sessionId, asked]);
  return { outlook, into: asked.into, look: (into: string) => setAsked({ into: into || undefined }) };
}

/** The project's checks come before a merge. */
function Checks({ session }: { session: Session }) {
  const { sessions } = useDrover();
  const projects = useStore(sessions.state, (state) => state.projects);
  const checks = projects.find(({ id }) => id === session.projectId)?.checks ?? [];
  if (checks.length === 0) return null;
  return (
    <p className="text-muted text-xs">
      Checked first:{" "}
      <code className="wrap-anywhere font-mono">
        {checks.map((argv) => argv.map(shellWord).join(" ")).join("; ")}
      </code>
    </p>
  );
}
