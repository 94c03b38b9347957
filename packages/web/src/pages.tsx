import { type ComponentType, lazy, Suspense } from "react";
import { HomePage } from "./home-page.tsx";
import type { Beginning } from "./new-session/new-session-dialog.tsx";
import { SessionPage } from "./session/session-page.tsx";
import { href, type PlainPage, type Route } from "./state/route.ts";
import { Page } from "./ui/page.tsx";

type LazyPage = Exclude<PlainPage, "home">;

const files = import.meta.glob<Readonly<Record<string, ComponentType>>>(
  "./{inbox,agents,projects,settings,doctor}/*-page.tsx",
);

/** A page's code is fetched when it is first looked at; `./agents/agents-page.tsx` exports `AgentsPage`. */
function lazily(name: LazyPage): ComponentType {
  const load = files[`./${name}/${name}-page.tsx`];
  const title = `${name[0]?.toUpperCase()}${name.slice(1)}`;
  return lazy(async () => ({ default: (await load?.())?.[`${title}Page`] ?? NoPage }));
}

const plainPages: Readonly<Record<LazyPage, ComponentType>> = {
  inbox: lazily("inbox"),
  agents: lazily("agents"),
  projects: lazily("projects"),
  settings: lazily("settings"),
  doctor: lazily("doctor"),
};

interface RoutedPageProps {
  readonly route: Route;
  readonly onNewSession: (beginning?: Beginning) => void;
}

/** What the address names, drawn. */
export function RoutedPage({ route, onNewSession }: RoutedPageProps) {
  if (route.page === "session") return <SessionPage key={route.session} idOrName={route.session} />;
  if (route.page === "home") return <HomePage onNewSession={onNewSession} />;
  const View = route.page === "unknown" ? NoPage : plainPages[route.page];
  return (
    <Suspense fallback={null}>
      <View />
    </Suspense>
  );
}

function NoPage() {
  return (
    <Page title="Nothing here">
      <p className="text-muted">
        This address leads nowhere.{" "}
        <a className="text-accent" href={href.home}>
          All sessions
        </a>
      </p>
    </Page>
  );
}
