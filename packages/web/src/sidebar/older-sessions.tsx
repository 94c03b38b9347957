import { useState } from "react";
import { useDrover } from "../state/drover.ts";
import { useStore } from "../state/store.ts";
import { TextButton } from "../ui/button.tsx";

/** The end of a list that is not the end of what there is: neither what is shown nor what was searched is all. */
export function OlderSessions({ which }: { which: "sessions" | "archived" }) {
  const { sessions } = useDrover();
  const [busy, setBusy] = useState(false);
  const count = useStore(sessions.state, (state) => state[which]?.length ?? 0);
  const hasOlder = useStore(sessions.state, (state) => state.older[which] !== undefined);
  if (!hasOlder) return null;
  const load = async () => {
    setBusy(true);
    await sessions.loadOlder(which);
    setBusy(false);
  };
  return (
    <p className="px-2 pt-1 pb-3 text-muted text-xs">
      These are the newest {count}.{" "}
      <TextButton disabled={busy} onClick={() => void load()}>
        Show older
      </TextButton>
    </p>
  );
}
