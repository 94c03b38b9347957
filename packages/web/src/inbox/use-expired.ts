import type { Interaction, SocketAnnouncement } from "@drover/core";
import { useEffect } from "react";
import { useDrover } from "../state/drover.ts";
import { useAnswer } from "../state/use-resource.ts";

interface Expired {
  /** False until the first list has arrived. */
  readonly loaded: boolean;
  readonly expired: readonly Interaction[];
}

/** What nobody answered in time, until somebody asks again or dismisses it. */
export function useExpired(): Expired {
  const { connection } = useDrover();
  const { value, problem, reload } = useAnswer<{ interactions: readonly Interaction[] }>(
    "/api/interactions?state=expired",
  );
  useEffect(() => connection.onComeback(reload), [connection, reload]);
  useEffect(
    () =>
      connection.onAnnouncement((announcement) => {
        if (changesExpired(announcement)) reload();
      }),
    [connection, reload],
  );
  return { loaded: value !== undefined || problem !== undefined, expired: value?.interactions ?? [] };
}

function changesExpired(announcement: SocketAnnouncement): boolean {
  const { type } = announcement;
  if (type === "interaction_resolved") return announcement.resolution === "expired";
  return type === "interaction_followed_up" || type === "session_removed";
}
