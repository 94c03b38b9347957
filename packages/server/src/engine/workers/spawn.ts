import {
  evolve,
  offeredModes,
  type QueuedMessage,
  type Rejection,
  type Result,
  reject,
  type Session,
  type SessionEvent,
  type SpawnWorker,
  stateName,
  titleOf,
  workerModes,
} from "@drover/core";
import type { NewSession } from "../../ports.ts";
import type { Answer, Caller } from "../../service.ts";
import type { EngineContext } from "../context.ts";
import { newId } from "../ids.ts";
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
  const refused = refuseLater(input);
  if (refused) return refused;
  const { prompt, mode: asked, confined: _c, taskId: _t, ...wanted } = input;
  const mode = workerModes.find((one) => one === asked) ?? "execute";
  const draft = await draftSession(context, {
    ...wanted,
    workspace: "worktree",
    title: wanted.title ?? titleOf(prompt),
    permissionMode: wanted.permissionMode ?? defaultMode(context, wanted.agent),
  });
  if (!draft.ok) return draft;
  const { about } = draft.value.row;
  const row = { ...draft.value.row, about: { ...about, kind: "worker" as const, worker: { mode } } };
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

/** The mode for workers, or the strictest that the agent offers. */
function defaultMode({ deps }: EngineContext, agent: string) {
  const { permissionMode } = deps.settings.workers;
  const preset = deps.presets.get(agent);
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
  const { mode, confined, taskId } = input;
  if (!workerModes.some((one) => one === mode)) {
    const message = `This version has no workers of the mode "${mode}" yet; use "execute"`;
    return reject("UNSUPPORTED", message, { what: `mode ${mode}` });
  }
  const later = Object.entries({ confined, taskId }).find(([, value]) => value !== undefined);
  if (!later) return undefined;
  const [what] = later;
  return reject("UNSUPPORTED", `This version does not support "${what}" for workers yet; omit it`, { what });
}
