import { exactText, type KeptWorkInfo } from "@drover/core";
import { momentTime } from "../format/time.ts";
import { api } from "../transport/http.ts";
import { Button } from "../ui/button.tsx";
import { PathText } from "../ui/path-text.tsx";
import { ProblemText } from "../ui/problem.tsx";
import { useAction } from "../ui/use-action.ts";

interface KeptRowProps {
  readonly work: KeptWorkInfo;
  readonly onChanged: () => void;
}

export function KeptRow({ work: { ref, name, repository, at }, onChanged }: KeptRowProps) {
  const { busy, problem, run } = useAction();
  const restore = async () => {
    if (await run(() => api("POST", "/api/workspaces/restore", { ref, repository }))) onChanged();
  };
  return (
    <li aria-label={name} className="grid gap-2 px-3.5 py-2.5">
      <div className="flex items-center gap-3">
        <div className="min-w-0 flex-1">
          <h3 className="truncate font-medium">{exactText(name)}</h3>
          <p className="flex font-mono text-faint text-xs" title={repository}>
            <PathText path={exactText(repository)} />
          </p>
        </div>
        <time className="shrink-0 text-muted text-xs" dateTime={at}>
          {momentTime(at)}
        </time>
        <Button disabled={busy} onClick={() => void restore()}>
          Restore
        </Button>
      </div>
      <ProblemText problem={problem} />
    </li>
  );
}
