import { Button } from "../ui/button.tsx";
import type { Beginning } from "./new-session-dialog.tsx";

/** Starts a session with the demo agent, which shows what Drover can do. */
export function TourButton({ onNewSession }: { onNewSession: (beginning: Beginning) => void }) {
  return (
    <Button look="primary" onClick={() => onNewSession({ agent: "demo", prompt: "tour" })}>
      Take the tour
    </Button>
  );
}
