import type { Session, SessionStateName } from "@drover/core";
import { useState } from "react";
import { useDrover } from "../state/drover.ts";
import { href, navigate } from "../state/route.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { BackIcon } from "../ui/icons.tsx";
import { Menu } from "../ui/menu.tsx";
import { ProblemText } from "../ui/problem.tsx";
import { StateDot } from "../ui/state-dot.tsx";
import { useAction } from "../ui/use-action.ts";

interface SessionHeaderProps {
  readonly session: Session;
  readonly state: SessionStateName;
}

export function SessionHeader({ session, state }: SessionHeaderProps) {
  const drover = useDrover();
  const { busy, problem, run } = useAction();
  const [deleting, setDeleting] = useState(false);
  const { id, name, title, agent, cwd, connection } = session;
  const hasProcess = connection.status !== "idle" && connection.status !== "disconnected";
  const ended = state === "stopped" || state === "crashed";

  const archive = async () => {
    if (await run(() => drover.archive(id))) navigate(href.home);
  };
  return (
    <header className="border-line border-b px-3 md:px-5">
      <div className="flex h-14 items-center gap-2.5">
        <a
          href={href.home}
          aria-label="All sessions"
          className="-ml-1 flex size-9 items-center justify-center rounded-md text-muted hover:bg-hover md:hidden"
        >
          <BackIcon />
        </a>
        <StateDot state={state} />
        <div className="min-w-0 flex-1">
          <h1 className="truncate font-semibold" title={title || name}>
            {title || name}
          </h1>
          <p className="truncate text-faint text-xs" title={cwd}>
            {[agent, ...(title && title !== name ? [name] : []), cwd].join(" · ")}
          </p>
        </div>
        {ended && (
          <Button disabled={busy} onClick={() => void run(() => drover.resume(id))}>
            Resume
          </Button>
        )}
        {!ended && (hasProcess || state !== "idle") && (
          <Button disabled={busy || state === "stopping"} onClick={() => void run(() => drover.stop(id))}>
            Stop
          </Button>
        )}
        <Menu
          label="More"
          entries={[
            { text: "Archive", onChoose: () => void archive() },
            { text: "Delete…", dangerous: true, onChoose: () => setDeleting(true) },
          ]}
        />
      </div>
      {problem && (
        <div className="pb-2">
          <ProblemText problem={problem} />
        </div>
      )}
      {deleting && <DeleteDialog session={session} onClose={() => setDeleting(false)} />}
    </header>
  );
}

function DeleteDialog({ session, onClose }: { session: Session; onClose: () => void }) {
  const drover = useDrover();
  const { busy, problem, run } = useAction();
  const remove = async () => {
    if (!(await run(() => drover.remove(session.id)))) return;
    onClose();
    navigate(href.home);
  };
  return (
    <Dialog title={`Delete ${session.name}?`} onClose={onClose}>
      <div className="grid gap-4">
        <p className="text-muted">
          Its agent is stopped and it leaves the list. Files in the working directory stay as they are.
        </p>
        <ProblemText problem={problem} />
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Keep</Button>
          <Button look="danger" disabled={busy} onClick={() => void remove()}>
            Delete session
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
