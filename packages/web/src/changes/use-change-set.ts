import { useEffect, useState } from "react";
import { useDrover } from "../state/drover.ts";
import { ChangeSet } from "./change-set.ts";

/** The changes of a session while they are looked at: asked for now, after every turn, and after a lost connection. */
export function useChangeSet(sessionId: string): ChangeSet | undefined {
  const { connection } = useDrover();
  const [changeSet, setChangeSet] = useState<ChangeSet>();
  useEffect(() => {
    const opened = new ChangeSet(sessionId);
    setChangeSet(opened);
    const undo = [
      connection.onOpen(() => void opened.refresh()),
      connection.onAnnouncement((news) => {
        const isOurs = news.type === "session:turn" && news.sessionId === sessionId;
        if (isOurs && news.phase === "ended") void opened.refresh();
      }),
    ];
    return () => {
      for (const each of undo) each();
      opened.close();
    };
  }, [connection, sessionId]);
  return changeSet;
}
