import { useEffect, useState } from "react";
import { agentNameOf } from "../agents/agent-name.ts";
import { headingOf } from "../interaction/summary.ts";
import { useDrover } from "../state/drover.ts";

/** Tells screen readers about requests of sessions that are not on the page. `shown` is the session that is. */
export function RequestAnnouncer({ shown }: { shown: string | undefined }) {
  const { inbox, agents } = useDrover();
  const [text, setText] = useState("");
  useEffect(
    () =>
      inbox.onOpened((interaction) => {
        const { sessionId, sessionName } = interaction;
        if (sessionId === shown || sessionName === shown) return;
        setText(`${headingOf(interaction, agentNameOf({ agents }, interaction.agent))} in ${sessionName}`);
      }),
    [inbox, agents, shown],
  );
  return (
    <p role="status" className="sr-only">
      {text}
    </p>
  );
}
