import { useDrover } from "./state/drover.ts";
import { useStore } from "./state/store.ts";

/** Beside the list, while nothing of it is chosen. */
export function HomePage() {
  const { sessions } = useDrover();
  const none = useStore(sessions.state, ({ loaded, sessions: all }) => loaded && all.length === 0);
  return (
    <div className="m-auto max-w-sm px-6 text-center">
      <h1 className="font-semibold text-lg tracking-tight">
        {none ? "No agent at work yet" : "No session selected"}
      </h1>
      <p className="mt-1.5 text-muted">
        {none ? "Give one something to do" : "Pick one on the left, or give an agent something new to do"}. It
        works on while this page is closed, and what it asks waits for you here.
      </p>
    </div>
  );
}
