import { useEffect, useState } from "react";
import { ConnectionBar } from "./connection-bar.tsx";
import { NewSessionDialog } from "./new-session/new-session-dialog.tsx";
import { SessionPage } from "./session/session-page.tsx";
import { Sidebar } from "./sidebar/sidebar.tsx";
import { useDrover } from "./state/drover.ts";
import { useRoute } from "./state/route.ts";
import { useStore } from "./state/store.ts";

/** Two panes on a desk; on a phone the address decides which of them is seen. */
export function App() {
  const selected = useRoute();
  const [creating, setCreating] = useState(false);
  useTitle(selected);
  const newSession = () => setCreating(true);
  return (
    <div className="flex h-dvh flex-col">
      <ConnectionBar />
      <div className="flex min-h-0 flex-1">
        <div
          className={`w-full shrink-0 md:w-72 md:border-line md:border-r ${selected ? "max-md:hidden" : ""}`}
        >
          <Sidebar selected={selected} onNewSession={newSession} />
        </div>
        <main className={`flex min-w-0 flex-1 flex-col ${selected ? "" : "max-md:hidden"}`}>
          {selected ? <SessionPage key={selected} idOrName={selected} /> : <Nothing />}
        </main>
      </div>
      {creating && <NewSessionDialog onClose={() => setCreating(false)} />}
    </div>
  );
}

function Nothing() {
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

/** What waits for a person shows in the tab even when another one is looked at. */
function useTitle(selected: string | undefined): void {
  const { sessions } = useDrover();
  const waiting = useStore(sessions.state, ({ inbox }) => inbox.length);
  const name = useStore(sessions.state, () => {
    const session = selected === undefined ? undefined : sessions.find(selected);
    return session?.title || session?.name;
  });
  useEffect(() => {
    document.title = `${waiting > 0 ? `(${waiting}) ` : ""}${name ? `${name} · ` : ""}Drover`;
  }, [waiting, name]);
}
