import type { Session, Updated } from "@drover/core";
import { useAgentName } from "../agents/agent-name.ts";
import { fileCount } from "../format/file-count.ts";
import { announce } from "../ui/undo.ts";
import { useAction } from "../ui/use-action.ts";
import { update } from "./requests.ts";

/** Brings the commits of the target into the session's branch. */
export function useUpdate(session: Session) {
  const action = useAction();
  const agentName = useAgentName(session.agent);
  /** Returns whether it was done. With `ask`, the agent is asked to resolve conflicts. */
  const bring = async ({ ask }: { readonly ask: boolean }): Promise<boolean> => {
    let updated: Updated | undefined;
    const isDone = await action.run(async () => {
      const answer = await update(session.id, ask);
      if (answer.ok) updated = answer.value;
      return answer;
    });
    if (isDone && updated) announce(outcomeOf(updated, agentName));
    return isDone;
  };
  return { busy: action.busy, problem: action.problem, bring };
}

function outcomeOf({ from, conflicts, receipt }: Updated, agentName: string): string {
  if (conflicts.length === 0) return `Updated from ${from}`;
  if (receipt) return `Updated from ${from}. ${agentName} was asked to resolve the conflicts`;
  return `Updated from ${from}, with conflict markers in ${fileCount(conflicts.length)}`;
}
