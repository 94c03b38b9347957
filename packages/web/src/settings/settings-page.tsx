import { EditorField } from "../editor/editor-field.tsx";
import { NotificationField } from "../inbox/notification-field.tsx";
import { href } from "../routing/route.ts";
import { useDrover } from "../state/drover.ts";
import { useResource } from "../state/use-resource.ts";
import { ThemeField } from "../theme/theme-field.tsx";
import { Page } from "../ui/page.tsx";
import { ProblemText } from "../ui/problem.tsx";
import { ConfigTable } from "./config-table.tsx";
import { LoginList } from "./login-list.tsx";

/** Settings of this browser, logins, and the server's configuration. */
export function SettingsPage() {
  const { value, problem } = useResource(useDrover().config);
  return (
    <Page title="Settings">
      <section className="mb-9">
        <h2 className="mb-3 font-semibold">This browser</h2>
        <div className="grid max-w-[26rem] gap-5">
          <ThemeField />
          <NotificationField />
          <EditorField />
        </div>
      </section>
      <section className="mb-9">
        <h2 className="font-semibold">Logins</h2>
        <LoginList />
      </section>
      <section>
        <div className="flex items-center justify-between gap-3">
          <h2 className="font-semibold">Server</h2>
          <a
            className="inline-flex items-center text-accent text-xs hover:underline max-md:min-h-10"
            href={href("/docs")}
          >
            API reference
          </a>
        </div>
        <ProblemText problem={problem} />
        {value && <ConfigTable report={value} />}
      </section>
    </Page>
  );
}
