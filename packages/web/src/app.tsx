import { useEffect, useState } from "react";
import { ConnectionBar } from "./connection-bar.tsx";
import { NewSessionDialog } from "./new-session/new-session-dialog.tsx";
import { RoutedPage } from "./pages.tsx";
import { Sidebar } from "./sidebar/sidebar.tsx";
import { useDrover } from "./state/drover.ts";
import { useRoute } from "./state/route.ts";
import { useStore } from "./state/store.ts";

/** Two panes on a desk; on a phone the address decides which of them is seen. */
export function App() {
  const route = useRoute();
  const selected = route.page === "session" ? route.session : undefined;
  const home = route.page === "home";
  const [creating, setCreating] = useState(false);
  useTitle(selected);
  const newSession = () => setCreating(true);
  return (
    <div className="flex h-dvh flex-col">
      <ConnectionBar />
      <div className="flex min-h-0 flex-1">
        <div className={`w-full shrink-0 md:w-72 md:border-line md:border-r ${home ? "" : "max-md:hidden"}`}>
          <Sidebar selected={selected} onNewSession={newSession} />
        </div>
        <main className={`flex min-w-0 flex-1 flex-col ${home ? "max-md:hidden" : ""}`}>
          <RoutedPage route={route} />
        </main>
      </div>
      {creating && <NewSessionDialog onClose={() => setCreating(false)} />}
    </div>
  );
}

/** What waits for a person shows in the tab even when another one is looked at. */
function useTitle(selected: string | undefined): void {
  const { sessions, inbox } = useDrover();
  const waiting = useStore(inbox.state, ({ open }) => open.length);
  const name = useStore(sessions.state, () => {
    const session = selected === undefined ? undefined : sessions.find(selected);
    return session?.title || session?.name;
  });
  useEffect(() => {
    document.title = `${waiting > 0 ? `(${waiting}) ` : ""}${name ? `${name} · ` : ""}Drover`;
  }, [waiting, name]);
}
