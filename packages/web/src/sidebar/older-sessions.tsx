import { useState } from "react";
import { useDrover } from "../state/drover.ts";
import { useStore } from "../state/store.ts";
import { TextButton } from "../ui/button.tsx";

interface OlderSessionsProps {
  readonly which: "sessions" | "archived";
  /** Not all that are listed are shown. */
  readonly searched: boolean;
}

/** The end of a list that is not the end of what there is: neither what is shown nor what was searched is all. */
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
      {searched ? `Looked through the newest ${count}.` : `These are the newest ${count}.`}
      <TextButton className="max-md:min-h-10" disabled={busy} onClick={() => void load()}>
        {searched ? "Look further back" : "Show older"}
      </TextButton>
    </p>
  );
}
