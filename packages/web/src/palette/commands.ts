import type { Result, Session } from "@drover/core";
import { allModes, modeWords } from "../format/words.ts";
import { pageShortcut, type ShortcutId } from "../keyboard/table.ts";
import { perform } from "../keyboard/use-shortcuts.ts";
import { pageEntries } from "../pages.tsx";
import { buildPath } from "../routing/path.ts";
import type { Route } from "../routing/read-route.ts";
import { navigate } from "../routing/route.ts";
import { sessionHref } from "../session/session-href.ts";
import type { Drover } from "../state/drover.ts";
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
  /** Extra search terms, not shown. */
  readonly keywords?: string;
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
  const open = route.params["session"] ? drover.sessions.find(route.params["session"]) : undefined;
  return [
    ...(open ? sessionCommands(drover, open) : []),
    {
      id: "new",
      group: "Commands",
      words: "New session",
      shortcut: "new-session",
      run: actions.newSession,
    },
    ...pageCommands,
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

const pageCommands: readonly Command[] = pageEntries.flatMap(({ path, title, keywords, key }) =>
  keywords === undefined
    ? []
    : {
        id: `page-${path}`,
        group: "Pages",
        words: title,
        keywords,
        ...(key === undefined ? {} : { shortcut: pageShortcut(path) }),
        run: () => navigate(`#${buildPath(path)}`),
      },
);

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
      ? command("Unarchive the session", () => drover.change(id, { archived: false }))
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
    run: () => navigate(sessionHref(name)),
  };
}
