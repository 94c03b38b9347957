import type { Result, Session } from "@drover/core";
import { allModes, modeWords } from "../format/words.ts";
import type { ShortcutId } from "../keyboard/table.ts";
import { perform } from "../keyboard/use-shortcuts.ts";
import type { Drover } from "../state/drover.ts";
import { href, navigate, type Route } from "../state/route.ts";
import { chooseTheme, themes, themeWords } from "../theme/theme.ts";
import type { Problem } from "../transport/wire.ts";

/** What can be refused says so when it is over. */
type Run = (() => void) | (() => Promise<Result<unknown, Problem>>);

export interface Command {
  readonly id: string;
  readonly group: "Session" | "Commands" | "Pages" | "Permission mode" | "Look and help" | "Sessions";
  readonly words: string;
  /** More to be found by, shown beside the words. */
  readonly detail?: string;
  readonly shortcut?: ShortcutId;
  readonly session?: Session;
  readonly run: Run;
}

export interface PaletteActions {
  readonly newSession: () => void;
  readonly showKeys: () => void;
}

/** Everything that can be done from here: first what concerns the open session, then the rest. */
export function paletteCommands(drover: Drover, route: Route, actions: PaletteActions): readonly Command[] {
  const open = route.page === "session" ? drover.sessions.find(route.session) : undefined;
  return [
    ...(open ? sessionCommands(drover, open) : []),
    {
      id: "new",
      group: "Commands",
      words: "New session",
      shortcut: "new-session",
      run: actions.newSession,
    },
    ...pages,
    ...(open ? modeCommands(drover, open) : []),
    ...themes.map(
      (theme): Command => ({
        id: `theme-${theme}`,
        group: "Look and help",
        words: `Theme: ${themeWords[theme]}`,
        run: () => chooseTheme(theme),
      }),
    ),
    {
      id: "keys",
      group: "Look and help",
      words: "Keyboard shortcuts",
      shortcut: "sheet",
      run: actions.showKeys,
    },
    ...drover.sessions.state.get().sessions.map(sessionCommand),
  ];
}

const page = (name: Exclude<keyof typeof href, "session" | "docs">, words: string): Command => ({
  id: `page-${name}`,
  group: "Pages",
  words,
  shortcut: `go-${name}`,
  run: () => navigate(href[name]),
});

const pages: readonly Command[] = [
  page("inbox", "Inbox"),
  page("home", "All sessions"),
  page("agents", "Agents"),
  page("projects", "Projects"),
  page("settings", "Settings"),
  page("doctor", "Doctor"),
];

function sessionCommands(drover: Drover, session: Session): Command[] {
  const { id, name, turn, state, archived } = session;
  const command = (words: string, run: Run, shortcut?: ShortcutId): Command => ({
    id: words,
    group: "Session",
    words,
    detail: name,
    ...(shortcut ? { shortcut } : {}),
    run,
  });
  const doing = (words: string, shortcut: ShortcutId) => command(words, () => perform(shortcut), shortcut);
  // Enter takes the first: looking comes before stopping.
  const hasEnded = state === "stopped" || state === "crashed";
  return [
    doing("Show its changes", "view-changes"),
    doing("Show its raw log", "view-log"),
    doing("Show its conversation", "view-transcript"),
    ...(turn ? [command("Interrupt the turn", () => drover.interrupt(id), "interrupt")] : []),
    hasEnded
      ? command("Resume the session", () => drover.resume(id))
      : command("Stop the session", () => drover.stop(id)),
    doing("Rename the session", "rename"),
    archived
      ? command("Take out of the archive", () => drover.change(id, { archived: false }))
      : command("Archive the session", () => drover.archive(id)),
  ];
}

function modeCommands(drover: Drover, session: Session): Command[] {
  const { id, name, modes = allModes, permissionMode } = session;
  return modes
    .filter((mode) => mode !== permissionMode)
    .map((mode) => ({
      id: `mode-${mode}`,
      group: "Permission mode",
      words: `Permission mode: ${modeWords[mode].name}`,
      detail: name,
      run: () => drover.change(id, { permissionMode: mode }),
    }));
}

function sessionCommand(session: Session): Command {
  const { id, name, title, agent, workspace } = session;
  return {
    id,
    group: "Sessions",
    words: title || name,
    detail: [title ? name : undefined, agent, workspace.projectDir.split("/").at(-1)]
      .filter(Boolean)
      .join(" · "),
    session,
    run: () => navigate(href.session(name)),
  };
}
