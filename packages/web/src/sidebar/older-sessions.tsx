import { useState } from "react";
import { useDrover } from "../state/drover.ts";
import { useStore } from "../state/store.ts";
import { TextButton } from "../ui/button.tsx";

interface OlderSessionsProps {
  readonly which: "sessions" | "archived";
  /** True when a filter hides some of the loaded sessions. */
  readonly searched: boolean;
}

/** Offers to load more when the server has older sessions than the list. */
export function OlderSessions({ which, searched }: OlderSessionsProps) {
  const { sessions } = useDrover();
  const [busy, setBusy] = useState(false);
  const count = useStore(sessions.state, (state) => state[which]?.length ?? 0);
  const hasOlder = useStore(sessions.state, (state) => state.hasOlder[which]);
  if (!hasOlder) return null;
  const load = async () => {
    setBusy(true);
    await sessions.loadOlder(which);
    setBusy(false);
  };
  return (
    <p className="flex flex-wrap items-center gap-x-1.5 px-2 pt-1 pb-3 text-muted text-xs">
      {searched ? `Searched the newest ${count}.` : `Showing the newest ${count}.`}
      <TextButton className="max-md:min-h-10" disabled={busy} onClick={() => void load()}>
        {searched ? "Search older sessions" : "Show older"}
      </TextButton>
    </p>
  );
}
