import { faultCodes, type Item } from "@drover/core";
import { href } from "../routing/route.ts";
import { useDrover } from "../state/drover.ts";
import { Button } from "../ui/button.tsx";
import { CodeWords } from "../ui/code-words.tsx";
import { AlertIcon, InfoIcon } from "../ui/icons.tsx";
import { ProblemText } from "../ui/problem.tsx";
import { useAction } from "../ui/use-action.ts";
import type { ItemEntry } from "./entries.ts";
import { FaultDetails, faultText } from "./fault-details.tsx";
import { useReader } from "./reader.ts";

export function NoticeItem({ entry: { item } }: { entry: ItemEntry }) {
  const fault = faultCodes.some((code) => code === item.code);
  const isWarning = warnings.includes(item.code ?? "");
  const colour = fault ? "text-bad" : isWarning ? "text-warn" : "text-muted";
  return (
    <div role={fault ? "alert" : "note"} className={`flex items-start gap-2 text-sm ${colour}`}>
      <span className="mt-0.5">{fault || isWarning ? <AlertIcon size={15} /> : <InfoIcon size={15} />}</span>
      <p className="min-w-0 whitespace-pre-wrap break-words">
        <CodeWords text={faultText(item)} />
        {item.code === "AGENT_MISSING" && (
          <a href={href("/agents")} className="ml-2 underline">
            Agents
          </a>
        )}
        {fault && <span className="ml-2 font-mono text-2xs">{item.code}</span>}
        <FaultDetails fault={item.fault} />
      </p>
      {repairs.includes(item.code ?? "") && <Repair item={item} />}
    </div>
  );
}

/** Notices that a person should act on. */
const warnings: readonly string[] = ["SHARED_DIRECTORY"];

/** Faults of a worktree that resuming its session repairs. */
const repairs: readonly string[] = ["WORKSPACE_MISSING", "WORKSPACE_SETUP_FAILED"];

/** Makes the worktree again, unless a later turn has run. */
function Repair({ item }: { item: Item }) {
  const { session, runningTurn } = useReader();
  const drover = useDrover();
  const { busy, done, problem, run } = useAction();
  const isLast = runningTurn === undefined && session.lastTurn?.id === item.turnId;
  if (session.workspace.mode !== "worktree" || !isLast || done) return null;
  return (
    <span className="ml-auto grid shrink-0 justify-items-end gap-1">
      <Button disabled={busy} onClick={() => void run(() => drover.resume(session.id))}>
        Resume
      </Button>
      <ProblemText problem={problem} />
    </span>
  );
}
