import type { Result, Session } from "@drover/core";
import { agentNameOf } from "../agents/agent-name.ts";
import { allModes, modeWords } from "../format/words.ts";
import { pageShortcut, type ShortcutId } from "../keyboard/table.ts";
import { perform } from "../keyboard/use-shortcuts.ts";
import { pageEntries } from "../pages.tsx";
import { buildPath } from "../routing/path.ts";
import type { Route } from "../routing/read-route.ts";
import { navigate } from "../routing/route.ts";
import { archive } from "../session/archive.ts";
import { sessionHref } from "../session/session-href.ts";
import type { Drover } from "../state/drover.ts";
import { isReadyForReview } from "../state/ready.ts";
import { chooseTheme, themes, themeWords } from "../theme/theme.ts";
import type { Problem } from "../transport/wire.ts";

/** An action that can fail returns its result. */
type Run = (() => void) | (() => Promise<Result<unknown, Problem>>);

export interface Command {
  readonly id: string;
  readonly group:
    | "Recent sessions"
    | "Session"
    | "Commands"
    | "Pages"
    | "Permission mode"
    | "Appearance and help"
    | "Sessions";
  readonly label: string;
  /** Further searchable text, shown beside the label. */
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

/** How many sessions come before the commands. */
const recentCount = 5;

/** Every command. The order counts while nothing is typed: recent sessions, the open session, everything else. */
export function paletteCommands(drover: Drover, route: Route, actions: PaletteActions): readonly Command[] {
  const open = route.params["session"] ? drover.sessions.find(route.params["session"]) : undefined;
  const others = drover.sessions.state.get().sessions.filter(({ id }) => id !== open?.id);
  const recent = others.slice(0, recentCount);
  const older = open ? [open, ...others.slice(recentCount)] : others.slice(recentCount);
  return [
    ...recent.map((session) => sessionCommand(drover, session, "Recent sessions")),
    ...(open ? sessionCommands(drover, open) : []),
    {
      id: "new",
      group: "Commands",
      label: "New session",
      shortcut: "new-session",
      run: actions.newSession,
    },
    {
      id: "attention",
      group: "Commands",
      label: "Next session that needs you or is unread",
      keywords: "unread waiting approval question finished",
      shortcut: "attention",
      run: () => perform("attention"),
    },
    {
      id: "new-worker",
      group: "Commands",
      label: "New worker",
      keywords: "task spawn tries batch",
      shortcut: "new-worker",
      run: () => perform("new-worker"),
    },
    {
      id: "worker",
      group: "Commands",
      label: "Next worker that needs you",
      keywords: "board question approval review failed",
      shortcut: "worker",
      run: () => perform("worker"),
    },
    ...reviewCommands(drover),
    ...pageCommands,
    ...(open ? modeCommands(drover, open) : []),
    ...themes.map(
      (theme): Command => ({
        id: `theme-${theme}`,
        group: "Appearance and help",
        label: `Theme: ${themeWords[theme]}`,
        run: () => chooseTheme(theme),
      }),
    ),
    {
      id: "keys",
      group: "Appearance and help",
      label: "Keyboard shortcuts",
      shortcut: "sheet",
      run: actions.showKeys,
    },
    ...older.map((session) => sessionCommand(drover, session, "Sessions")),
  ];
}

const pageCommands: readonly Command[] = pageEntries.flatMap(({ path, title, keywords, key }) =>
  keywords === undefined
    ? []
    : {
        id: `page-${path}`,
        group: "Pages",
        label: title,
        keywords,
        ...(key === undefined ? {} : { shortcut: pageShortcut(path) }),
        run: () => navigate(`#${buildPath(path)}`),
      },
);

/** The work that waits for a review, by the session that did it. */
const reviewCommands = ({ sessions }: Drover): Command[] =>
  sessions.state
    .get()
    .sessions.filter(isReadyForReview)
    .map(({ id, name, title }) => ({
      id: `review-${id}`,
      group: "Commands",
      label: `Review ${title || name}`,
      keywords: "ready accept merge",
      run: () => navigate(sessionHref(name, "review")),
    }));

function sessionCommands(drover: Drover, session: Session): Command[] {
  const { id, name, turn, state, archived } = session;
  const command = (label: string, run: Run, shortcut?: ShortcutId): Command => ({
    id: label,
    group: "Session",
    label,
    detail: name,
    ...(shortcut ? { shortcut } : {}),
    run,
  });
  const doing = (label: string, shortcut: ShortcutId) => command(label, () => perform(shortcut), shortcut);
  // Enter runs the first one, so harmless commands come first.
  const hasEnded = state === "stopped" || state === "crashed";
  return [
    doing("Show changes", "view-changes"),
    ...(session.workspace.mode === "worktree" ? [doing("Show review", "view-review")] : []),
    ...(session.worker?.proposals ? [doing("Show proposals", "view-proposals")] : []),
    doing("Show raw log", "view-log"),
    doing("Show transcript", "view-transcript"),
    ...(turn ? [command("Interrupt", () => drover.interrupt(id), "interrupt")] : []),
    hasEnded
      ? command("Resume session", () => drover.resume(id))
      : command("Stop session", () => drover.stop(id)),
    doing("Rename session", "rename"),
    archived
      ? command("Unarchive session", () => drover.change(id, { archived: false }))
      : command("Archive session", () => archive(drover, session)),
  ];
}

function modeCommands(drover: Drover, session: Session): Command[] {
  const { id, name, modes = allModes, permissionMode } = session;
  return modes
    .filter((mode) => mode !== permissionMode)
    .map((mode) => ({
      id: `mode-${mode}`,
      group: "Permission mode",
      label: `Permission mode: ${modeWords[mode].name}`,
      detail: name,
      run: () => drover.change(id, { permissionMode: mode }),
    }));
}

function sessionCommand(drover: Drover, session: Session, group: Command["group"]): Command {
  const { id, name, title, workspace } = session;
  const agent = agentNameOf(drover, session.agent);
  return {
    id,
    group,
    label: title || name,
    detail: [title ? name : undefined, agent, workspace.projectDir.split("/").at(-1)]
      .filter(Boolean)
      .join(" · "),
    session,
    run: () => navigate(sessionHref(name)),
  };
}
