import { Button } from "../ui/button.tsx";
import type { Beginning } from "./new-session-dialog.tsx";

/** The shortest way to see what a session is: the demo agent, with the words that make it show everything. */
export function TourButton({ onNewSession }: { onNewSession: (beginning: Beginning) => void }) {
  return (
    <Button look="primary" onClick={() => onNewSession({ agent: "demo", prompt: "tour" })}>
      Take the tour
    </Button>
  );
}
