import type { ComponentType } from "react";
import { HomePage } from "./home-page.tsx";
import type { Beginning } from "./new-session/new-session-dialog.tsx";
import type { PlainPage, Route } from "./state/route.ts";
import { Empty } from "./ui/empty.tsx";
import { lazily } from "./ui/lazily.ts";
import { BackHome, Page } from "./ui/page.tsx";

const SessionPage = lazily(async () => (await import("./session/session-page.tsx")).SessionPage);
const lazyPages: Readonly<Record<Exclude<PlainPage, "home">, ComponentType>> = {
  inbox: lazily(async () => (await import("./inbox/inbox-page.tsx")).InboxPage),
  agents: lazily(async () => (await import("./agents/agents-page.tsx")).AgentsPage),
  projects: lazily(async () => (await import("./projects/projects-page.tsx")).ProjectsPage),
  settings: lazily(async () => (await import("./settings/settings-page.tsx")).SettingsPage),
  doctor: lazily(async () => (await import("./doctor/doctor-page.tsx")).DoctorPage),
  docs: lazily(async () => (await import("./docs/docs-page.tsx")).DocsPage),
};

interface RoutedPageProps {
  readonly route: Route;
  readonly onNewSession: (beginning?: Beginning) => void;
}

/** What the address names, drawn. */
export function RoutedPage({ route, onNewSession }: RoutedPageProps) {
  if (route.page === "home") return <HomePage onNewSession={onNewSession} />;
  if (route.page === "session") return <SessionPage key={route.session} idOrName={route.session} />;
  const View = route.page === "unknown" ? NoPage : lazyPages[route.page];
  return <View />;
}

function NoPage() {
  return (
    <Page title="Nothing here">
      <Empty title="This address leads nowhere">
        <p>A link may be cut off, or a page of another version.</p>
        <BackHome />
      </Empty>
    </Page>
  );
}
