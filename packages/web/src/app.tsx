import { useEffect, useMemo, useRef, useState } from "react";
import { ConnectionBar } from "./connection-bar.tsx";
import { RequestAnnouncer } from "./inbox/request-announcer.tsx";
import { useBadge } from "./inbox/use-badge.ts";
import { pageShortcut, setPageShortcuts } from "./keyboard/table.ts";
import { type ShortcutHandlers, useShortcuts } from "./keyboard/use-shortcuts.ts";
import { type Beginning, NewSessionDialog } from "./new-session/new-session-dialog.tsx";
import { pages } from "./pages.tsx";
import { Palette } from "./palette/palette.tsx";
import { RoutedPage } from "./routed-page.tsx";
import { buildPath } from "./routing/path.ts";
import { type Route, readRoute } from "./routing/read-route.ts";
import { navigate, useFragment } from "./routing/route.ts";
import { BottomBar } from "./sidebar/bottom-bar.tsx";
import { Sidebar } from "./sidebar/sidebar.tsx";
import { turnTheme } from "./theme/theme.ts";
import type { Problem } from "./transport/wire.ts";
import { IconButton } from "./ui/button.tsx";
import { CrossIcon } from "./ui/icons.tsx";
import { lazily } from "./ui/lazily.ts";
import { useCurrentTitle } from "./ui/page-title.ts";
import { ProblemText } from "./ui/problem.tsx";
import { UndoToast } from "./ui/undo-toast.tsx";
import { useNarrow } from "./ui/use-narrow.ts";

const NewWorkerDialog = lazily(
  async () => (await import("./new-worker/new-worker-dialog.tsx")).NewWorkerDialog,
);
const ShortcutSheet = lazily(async () => (await import("./keyboard/shortcut-sheet.tsx")).ShortcutSheet);

type Overlay = Beginning | "worker" | "palette" | "keys";

setPageShortcuts(pages);
const goToPages: ShortcutHandlers = Object.fromEntries(
  pages.map(({ path }) => [pageShortcut(path), () => navigate(`#${buildPath(path)}`)]),
);

/** Two panes on a desktop; on a phone the route decides which one is visible. */
export function App() {
  const fragment = useFragment();
  const route = useMemo(() => readRoute(fragment), [fragment]);
  const [overlay, setOverlay] = useState<Overlay>();
  /** Why a palette command failed; there is nowhere else on the page to show it. */
  const [problem, setProblem] = useState<Problem>();
  const close = () => setOverlay(undefined);
  const newSession = (beginning: Beginning = { prompt: "" }) => setOverlay(beginning);
  const newWorker = () => setOverlay("worker");
  const openPalette = () => setOverlay("palette");
  const showKeys = () => setOverlay("keys");
  const main = useRef<HTMLElement>(null);
  // Navigating closes the overlay, unless it was opened at the new address.
  const openedAt = useRef("");
  useEffect(() => {
    if (overlay !== undefined) openedAt.current = location.hash;
  }, [overlay]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the address is why
  useEffect(() => {
    if (openedAt.current !== location.hash) close();
  }, [route]);
  const isNarrow = useNarrow();
  const isHome = route.page?.path === "/";
  useBadge(useTitle(route), route.params["session"]);
  useShortcuts({
    palette: () => setOverlay((now) => (now === "palette" ? undefined : "palette")),
    "new-session": () => newSession(),
    "new-worker": newWorker,
    sheet: showKeys,
    theme: turnTheme,
    ...goToPages,
  });
  return (
    <div className="flex h-dvh flex-col">
      {/* biome-ignore lint/a11y/useValidAnchor: a skip link that cannot be followed, because the fragment is the route */}
      <a
        href="#main"
        onClick={(event) => {
          event.preventDefault();
          main.current?.focus();
        }}
        className="absolute top-2 left-2 z-30 rounded-md bg-overlay px-3 py-2 font-medium shadow-overlay not-focus:sr-only max-md:hidden"
      >
        Skip to content
      </a>
      {/* Over the header, between its title and its buttons: nothing on the page moves when it comes and goes. */}
      <div className="pointer-events-none fixed inset-x-14 top-2.5 z-20 flex flex-col items-center gap-1.5 md:right-3 md:left-75">
        <ConnectionBar />
        {problem && (
          <div className="pointer-events-auto flex items-center gap-2 rounded-lg bg-overlay px-3 py-1 shadow-overlay">
            <ProblemText problem={problem} />
            <IconButton label="Close" onClick={() => setProblem(undefined)}>
              <CrossIcon size={14} />
            </IconButton>
          </div>
        )}
      </div>
      <div className="flex min-h-0 flex-1">
        <div
          className={`w-full shrink-0 md:w-72 md:border-line md:border-r ${isHome ? "" : "max-md:hidden"}`}
        >
          <Sidebar
            route={route}
            onNewSession={newSession}
            onOpenPalette={openPalette}
            onShowKeys={showKeys}
          />
        </div>
        <main
          ref={main}
          id="main"
          tabIndex={-1}
          className={`flex min-w-0 flex-1 flex-col outline-none ${isHome ? "max-md:hidden" : ""}`}
        >
          <RoutedPage route={route} onNewSession={newSession} onNewWorker={newWorker} />
        </main>
      </div>
      {isNarrow && route.params["session"] === undefined && (
        <BottomBar current={route.page} onNewSession={() => newSession()} />
      )}
      {typeof overlay === "object" && <NewSessionDialog beginning={overlay} onClose={close} />}
      {overlay === "worker" && <NewWorkerDialog onClose={close} />}
      {overlay === "palette" && (
        <Palette
          route={route}
          onClose={close}
          onDoing={async (doing) => {
            const done = await doing;
            setProblem(done.ok ? undefined : done.error);
          }}
          newSession={newSession}
          showKeys={showKeys}
        />
      )}
      {route.page?.path !== "/inbox" && <RequestAnnouncer shown={route.params["session"]} />}
      <UndoToast />
      {overlay === "keys" && <ShortcutSheet onClose={close} />}
    </div>
  );
}

function useTitle({ page }: Route): string {
  return `${useCurrentTitle() ?? page?.title ?? "Page not found"} · Drover`;
}
