import type { Session } from "@drover/core";
import { useAgentName } from "../agents/agent-name.ts";
import { capabilityWords } from "../format/capability-words.ts";
import { Dialog } from "../ui/dialog.tsx";
import { CheckIcon, CrossIcon } from "../ui/icons.tsx";

/** What an agent can and cannot do through Drover. */
export function CapabilityDialog({ session, onClose }: { session: Session; onClose: () => void }) {
  return (
    <Dialog title={`What ${useAgentName(session.agent)} can do`} onClose={onClose}>
      <ul className="grid gap-2.5">
        {capabilityWords(session).map(({ can, words }) => (
          <li key={words} className="flex items-start gap-2.5">
            <span className={`mt-0.5 ${can ? "text-good" : "text-faint"}`}>
              {can ? <CheckIcon size={15} /> : <CrossIcon size={15} />}
            </span>
            <span className={can ? "" : "text-muted"}>{words}</span>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
