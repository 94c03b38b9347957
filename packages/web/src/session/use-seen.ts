import type { Session } from "@drover/core";
import { useEffect } from "react";
import { useDrover } from "../state/drover.ts";
import { useLookedAt } from "../state/looked-at.ts";

interface Seen {
  readonly session: Pick<Session, "id" | "unread">;
  /** The last seq on the page. */
  readonly lastSeq: number;
  /** The end of the transcript is in view. */
  readonly atEnd: boolean;
}

/** Marks an unread session as seen while someone looks at the end of its transcript. */
export function useSeen({ session: { id, unread }, lastSeq, atEnd }: Seen): void {
  const drover = useDrover();
  const isSeen = useLookedAt() && atEnd;
  useEffect(() => {
    if (unread && isSeen) void drover.markSeen(id, lastSeq);
  }, [drover, id, unread, isSeen, lastSeq]);
}
