// A home with a long history, written by Drover's own journal and store: the same data that a server would have written in
// all those turns, but faster.
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { EventBody, Interaction } from "@drover/core";
import { Bus } from "../../packages/server/src/engine/bus.ts";
import { newId } from "../../packages/server/src/engine/ids.ts";
import { freshRow } from "../../packages/server/src/engine/service/create-session.ts";
import { Journal } from "../../packages/server/src/engine/session/journal.ts";
import { homeAt } from "../../packages/server/src/home.ts";
import {
  localWorkspace,
  type SessionAbout,
  type SessionRow,
  type Store,
} from "../../packages/server/src/ports.ts";
import { openSqliteStore } from "../../packages/server/src/store/sqlite.ts";

export interface StoredHome {
  readonly sessions: number;
  readonly archived: number;
  readonly events: number;
  /** A session with `longTurns` turns, and one with a single turn. */
  readonly long: string;
  readonly short: string;
  /** A directory with many sessions, and one with only the oldest. */
  readonly sharedDirectory: string;
  readonly loneDirectory: string;
}

export interface Shape {
  readonly sessions: number;
  /** Turns of the long session; the others have one to twelve. */
  readonly longTurns: number;
}

const silent = { debug() {}, info() {}, warn() {}, error() {} };

const DIRECTORIES = 10;
/** Every tenth session is archived. */
const ARCHIVED = 10;
/** Sessions written concurrently, so that their commits share transactions. */
const AT_ONCE = 64;
const STEPS_PER_TURN = 12;

const words = "the importer reads the file line by line and counts what it cannot read ";

/** One step of a turn: a thought, text in two pieces, a command and its output. */
function step(turnId: string, n: number): EventBody[] {
  const [itemId, toolCallId] = [newId("item"), `${turnId}-${n}`];
  const tool = { toolName: "Bash", kind: "execute" as const, title: `npm test -- part-${n}` };
  return [
    { type: "thinking_delta", turnId, itemId: newId("item"), text: `What about part ${n}? ${words}` },
    { type: "text_delta", turnId, itemId, text: `Step ${n}: ${words}` },
    { type: "text_delta", turnId, itemId, text: words.repeat(2) },
    { type: "tool_call_start", turnId, toolCallId, ...tool },
    { type: "tool_call_end", turnId, toolCallId, input: { command: tool.title } },
    {
      ...{ type: "tool_result", turnId, toolCallId, toolName: tool.toolName, status: "complete" },
      result: words.repeat(4),
    },
  ];
}

/** A whole turn with one granted approval. */
function turnOf({ id: sessionId, name, about }: SessionRow): EventBody[] {
  const [turnId, messageId] = [newId("turn"), newId("message")];
  const approval: Interaction = {
    ...{ id: newId("interaction"), sessionId, sessionName: name, agent: about.agent, turnId },
    ...{ kind: "approval", toolCallId: `${turnId}-0`, toolName: "Bash", toolKind: "execute" },
    ...{
      scopes: ["once"],
      input: { command: "npm test" },
      createdAt: new Date().toISOString(),
      state: "open",
    },
  };
  const { id: interactionId, toolCallId } = approval;
  return [
    { type: "turn_start", turnId, messageId, lockedBy: "cli" },
    { type: "message", turnId, itemId: newId("item"), messageId, content: "Fix the importer.", by: "user" },
    { type: "approval_required", ...approval },
    {
      ...{ type: "interaction_resolved", turnId, interactionId, toolCallId, kind: "approval" },
      ...{ resolution: "approved", by: "user", scope: "once" },
    },
    ...Array.from({ length: STEPS_PER_TURN }, (_, n) => step(turnId, n)).flat(),
    { type: "done", turnId, reason: "end_turn", ok: true, partial: false },
  ];
}

/** As in app.ts, so that the measured server already owns the sessions. */
const node = "local";

interface Plan {
  readonly name: string;
  readonly cwd: string;
  readonly projectId: string;
  readonly turns: number;
  readonly archived: boolean;
  readonly stopped: boolean;
}

async function write(store: Store, plan: Plan): Promise<SessionRow> {
  const { name, cwd, projectId, turns, archived, stopped } = plan;
  const about: SessionAbout = {
    ...{ title: "Fix the importer", kind: "session", agent: "demo", driver: "acp" },
    ...{ permissionMode: "ask", grants: [], projectId },
  };
  const row = await freshRow(store, { cwd, workspace: localWorkspace(cwd), about, name });
  await store.create({ row }, node);
  const journal = await Journal.load(
    { store, bus: new Bus({ logger: silent, wakeReactors: () => undefined }), node },
    row,
  );
  for (let turn = 0; turn < turns; turn++) {
    await journal.append({ events: turnOf(row), durability: "output" });
  }
  const status: EventBody[] = stopped ? [{ type: "session_status", state: "stopped" }] : [];
  if (archived || stopped) {
    await journal.append({ events: status, ...(archived ? { archived } : {}), durability: "output" });
  }
  return journal.row;
}

export async function fillHome(
  home: string,
  { sessions, longTurns }: Shape,
  progress: (text: string) => void = () => undefined,
): Promise<StoredHome> {
  await using store = await openSqliteStore({ file: homeAt(join(home, ".drover")).database });
  const projects: { path: string; id: string }[] = [];
  for (let n = 0; n <= DIRECTORIES; n++) {
    const project = { path: join(home, "work", `project-${n}`), id: newId("project") };
    await mkdir(project.path, { recursive: true });
    await store.saveProject({ ...project, name: `project-${n}`, trusted: false, env: {}, setup: [] });
    projects.push(project);
  }
  const planOf = (n: number): Plan => {
    // The first session is alone in its directory and in its state; the second is long, the third short.
    const { path: cwd, id: projectId } = projects[n === 0 ? DIRECTORIES : n % DIRECTORIES] ?? {
      path: "",
      id: "",
    };
    const turns = n === 1 ? longTurns : n === 2 ? 1 : 1 + ((n * 7) % 12);
    return {
      name: `stored-${n}`,
      cwd,
      projectId,
      turns,
      archived: n % ARCHIVED === ARCHIVED - 1,
      stopped: n === 0,
    };
  };
  const rows = [await write(store, planOf(0))];
  for (let n = 1; n < sessions; n += AT_ONCE) {
    const some = Array.from({ length: Math.min(AT_ONCE, sessions - n) }, (_, i) => planOf(n + i));
    rows.push(...(await Promise.all(some.map((plan) => write(store, plan)))));
    if (Math.floor(n / AT_ONCE) % 32 === 31)
      progress(`${n + some.length} of ${sessions} sessions are written`);
  }
  return {
    sessions,
    archived: rows.filter(({ archived }) => archived).length,
    events: rows.reduce((sum, { state }) => sum + state.lastSeq, 0),
    long: rows[1]?.id ?? "",
    short: rows[2]?.id ?? "",
    sharedDirectory: projects[3]?.path ?? "",
    loneDirectory: projects[DIRECTORIES]?.path ?? "",
  };
}
