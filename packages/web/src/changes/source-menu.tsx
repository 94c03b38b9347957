import type { Session } from "@drover/core";
import { plainText } from "../format/terminal.ts";
import { clockTime } from "../format/time.ts";
import { navigate } from "../routing/route.ts";
import { sessionHref } from "../session/session-href.ts";
import type { SessionView } from "../state/view.ts";
import { Select } from "../ui/select.tsx";
import type { ChangesQuery } from "./session-diff.ts";

interface SourceMenuProps {
  readonly session: Session;
  readonly view: SessionView;
  readonly query: ChangesQuery;
}

/** Chooses which changes to show. The choice is part of the address. */
export function SourceMenu({ session, view, query: { turn, against } }: SourceMenuProps) {
  const turns = turnsOf(view);
  const isListed = turn === undefined || turns.some(({ id }) => id === turn);
  const choose = (value: string) => {
    const query = value === "base" ? { against: "base" as const } : value === "" ? {} : { turn: value };
    navigate(sessionHref(session.name, "changes", query));
  };
  return (
    <Select
      aria-label="Changes to show"
      className="text-xs"
      value={turn ?? against ?? ""}
      onChange={(event) => choose(event.target.value)}
    >
      <option value="">Uncommitted</option>
      <option value="base">{baseWords(session)}</option>
      {(turns.length > 0 || !isListed) && (
        <optgroup label="Turns">
          {!isListed && <option value={turn}>An earlier turn</option>}
          {turns.map(({ id, words }) => (
            <option key={id} value={id}>
              {words}
            </option>
          ))}
        </optgroup>
      )}
    </Select>
  );
}

/** A worktree's changes are compared with its base; elsewhere, with the files before the first turn. */
export function baseWords({ workspace: { base } }: Session): string {
  if (!base) return "Whole session";
  return `Against ${/^[0-9a-f]{40}$/.test(base.ref) ? base.ref.slice(0, 10) : base.ref}`;
}

/** Turns that changed files, and the running one; the latest first. */
function turnsOf({ items, state: { turn: running } }: SessionView) {
  const prompts = new Map(
    items.flatMap((item) => (item.kind === "user" && item.turnId ? [[item.turnId, item] as const] : [])),
  );
  const changed = items.flatMap(({ kind, turnId, changes, at }) =>
    kind === "changes" && turnId !== undefined ? [{ turnId, at, changes }] : [],
  );
  const turns = changed.map(({ turnId, at, changes }) => {
    const prompt = prompts.get(turnId);
    const asked = prompt
      ? plainText(prompt.text ?? "")
          .trim()
          .split("\n")[0]
          ?.slice(0, 60)
      : "Turn";
    const words = changes?.discarded ? "Discarded changes" : changes?.reverts ? "Undo" : asked;
    return { id: turnId, words: `${clockTime(prompt?.at ?? at)} ${words}` };
  });
  const now = running ? [{ id: running.id, words: "Running turn" }] : [];
  return [...turns, ...now].reverse();
}
