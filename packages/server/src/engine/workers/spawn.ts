import {
  evolve,
  modeRules,
  offeredModes,
  type PermissionMode,
  type QueuedMessage,
  type Rejection,
  type Result,
  reject,
  type Session,
  type SessionEvent,
  type SpawnWorker,
  stateName,
  titleOf,
  type WorkerMode,
} from "@drover/core";
import type { NewSession } from "../../ports.ts";
import type { Answer, Caller } from "../../service.ts";
import type { EngineContext } from "../context.ts";
import { newId } from "../ids.ts";
import { readersMode, refuseWorkerOptions } from "../output/permissions.ts";
import { draftSession } from "../service/create-session.ts";
import { refuseMessage } from "../service/session-options.ts";
import { createInWorkspace } from "../workspaces/create-in-workspace.ts";

/** Creates a worker. Its task is stored with it, so that no crash leaves a worker without one. */
export async function spawnWorker(
  context: EngineContext,
  input: SpawnWorker,
  { by, clientId, intent }: Caller,
): Answer<Session> {
  const { deps, registry, background } = context;
  const refused = refuseLater(input) ?? refuseWorkerOptions(input, input);
  if (refused) return refused;
  const { prompt, mode, batch, confined: _c, taskId: _t, ...wanted } = input;
  const worker = { mode, ...(batch === undefined ? {} : { batch }) };
  const draft = await draftSession(context, {
    ...wanted,
    workspace: "worktree",
    title: wanted.title ?? titleOf(prompt),
    permissionMode: wanted.permissionMode ?? defaultMode(context, wanted.agent, mode),
  });
  if (!draft.ok) return draft;
  const { about } = draft.value.row;
  const row = { ...draft.value.row, about: { ...about, kind: "worker" as const, worker } };
  const tooLarge = refuseMessage(deps, row, { content: prompt });
  if (tooLarge) return tooLarge;
  const sender = { by, ...(clientId === undefined ? {} : { clientId }) };
  const message = { messageId: newId("message"), content: prompt, ...sender, at: row.createdAt };
  const created = await createInWorkspace(context, row, {
    input: { agent: wanted.agent, cwd: wanted.cwd, name: wanted.name, base: wanted.base },
    mode: "worktree",
    intent,
    begin: (session) => withTask(session, message),
  });
  if (created.ok) {
    // A server that dies before this starts it when it is back.
    background.run(async () => (await registry.find(created.value.id))?.startNext());
  }
  return created;
}

/** The permission mode for workers, or the strictest that the agent offers. */
function defaultMode({ deps }: EngineContext, agent: string, mode: WorkerMode): PermissionMode {
  const { permissionMode } = deps.settings.workers;
  const preset = deps.presets.get(agent);
  if (preset && !modeRules[mode].changesFiles) return readersMode(deps, preset);
  const offered = preset ? offeredModes(preset) : [permissionMode];
  return offered.includes(permissionMode) ? permissionMode : (offered[0] ?? permissionMode);
}

/** The task waits in the queue of the new session. */
function withTask({ row, events = [], ...created }: NewSession, message: QueuedMessage): NewSession {
  let { state } = row;
  const added = [...events];
  for (const body of [
    { type: "queue_update", paused: false, messages: [message] },
    { type: "session_status", state: "queued" },
  ] as const) {
    const seq = state.lastSeq + 1;
    const envelope = { seq, from: seq, at: row.createdAt, sessionId: row.id };
    const event = { ...body, ...envelope } as SessionEvent;
    added.push({ from: seq, seq, type: event.type, data: JSON.stringify(event) });
    state = evolve(state, event);
  }
  const begun = { ...row, state, stateName: stateName(state), live: true, openFrom: state.lastSeq + 1 };
  return { ...created, row: begun, events: added };
}

function refuseLater(input: SpawnWorker): Result<never, Rejection> | undefined {
  const { confined, taskId } = input;
  const later = Object.entries({ confined, taskId }).find(([, value]) => value !== undefined);
  if (!later) return undefined;
  const [what] = later;
  return reject("UNSUPPORTED", `This version does not support "${what}" for workers yet; omit it`, { what });
}
