import type { Session } from "@drover/core";
import { useAgentName } from "../agents/agent-name.ts";
import { modeMeaning } from "../format/capability-words.ts";
import { Empty, PathWords } from "../ui/empty.tsx";

/** A session without messages. */
export function NothingYet({ session }: { session: Session }) {
  const { agent, capabilities, cwd, permissionMode } = session;
  return (
    <Empty title="No messages yet">
      <p>
        Send a prompt to start {useAgentName(agent)} in <PathWords path={cwd} />.
      </p>
      <p className="mt-1.5">{modeMeaning(permissionMode, capabilities)}</p>
    </Empty>
  );
}
