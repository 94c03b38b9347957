import { type EventOf, ok, type Rejection, type Result, reject, type Session } from "@drover/core";
import { type SessionRow, StoreError } from "../../ports.ts";
import type { Service } from "../../service.ts";
import { refuseAccount } from "../accounts/refuse.ts";
import type { EngineContext } from "../context.ts";
import { adopt } from "../conversations/adopt.ts";
import { withNotices } from "../conversations/begin-with-past.ts";
import { forkIntoWorktree } from "../conversations/fork-into-worktree.ts";
import { forkSession } from "../conversations/fork-session.ts";
import { notFound } from "../not-found.ts";
import { refuseWorkerOptions } from "../output/permissions.ts";
import { pageAfter, pageBefore } from "../reading/item-pages.ts";
import { locateSession } from "../reading/locate.ts";
import { openItems, queueOf, takeSnapshot } from "../reading/snapshot.ts";
import { removeSession } from "../removal/remove-session.ts";
import type { SessionActor } from "../session/actor.ts";
import { Mailbox } from "../session/mailbox.ts";
import { sessionView } from "../session/view.ts";
import { attachmentTypeOf, findAttachments, withoutBytes } from "../turn/attach.ts";
import { asPrompt, attachedTo } from "../turn/attached.ts";
import { unlessFault } from "../unless-fault.ts";
import { answerWorker } from "../workers/answer.ts";
import { createInWorkspace } from "../workspaces/create-in-workspace.ts";
import { restoreWorkspace } from "../workspaces/restore-workspace.ts";
import { sharedDirectory } from "../workspaces/shared-directory.ts";
import { changesService } from "./changes.ts";
import { draftSession, storeSession } from "./create-session.ts";
import { whyLooser } from "./looser.ts";
import { sendMessage } from "./send-message.ts";
import { refuseMessage, refuseOptions } from "./session-options.ts";

export function sessionsService(context: EngineContext): Service["sessions"] {
  const { deps, registry, bus, feed } = context;
  const adoptions = new Mailbox();

  async function withActor<T>(idOrName: string, use: (actor: SessionActor) => Promise<Result<T, Rejection>>) {
    const actor = await registry.find(idOrName);
    return actor && !actor.isBeingDeleted ? use(actor) : notFound("session", idOrName);
  }

  const viewOf = async (row: SessionRow): Promise<Session> => {
    const actor = await registry.get(row.id);
    if (actor) return actor.view();
    return sessionView(deps, row);
  };

  return {
    async create(input, { intent }) {
      const draft = await draftSession(context, input);
      if (!draft.ok) return draft;
      const { row, mode } = draft.value;
      const storing = { intent, name: input.name };
      if (mode !== "local") return createInWorkspace(context, row, { input, mode, intent });
      if (row.runtime.agentSessionId === undefined) {
        const session = withNotices({ row }, await sharedDirectory(context, row));
        return storeSession(context, session, storing);
      }
      // Serialized, so that no two sessions get the same conversation.
      return adoptions.run(async () => {
        const adopted = await adopt(context, row);
        return adopted.ok ? storeSession(context, adopted.value, storing) : adopted;
      });
    },

    fork: (idOrName, input, { intent }) =>
      withActor(idOrName, async (actor) => {
        await actor.turns.checkpointer.settled();
        if (input.workspace === "worktree") return forkIntoWorktree(context, actor, { input, intent });
        const forked = await actor.log.mailbox.run(() => forkSession(context, actor, input));
        return forked.ok ? storeSession(context, forked.value, { intent }) : forked;
      }),

    async list(query) {
      const directory = query.cwd === undefined ? undefined : await deps.resolvePath(query.cwd, "cwd");
      if (directory && !directory.ok) return directory;
      const { cwd: _, ...filters } = query;
      const place = directory ? { projectDir: directory.value } : {};
      try {
        const { rows, before } = await deps.store.sessions({ archived: false, ...filters, ...place });
        return ok({ sessions: await Promise.all(rows.map(viewOf)), ...(before ? { before } : {}) });
      } catch (error) {
        if (!(error instanceof StoreError) || error.code !== "BAD_CURSOR") throw error;
        const { message } = error;
        return reject("BAD_REQUEST", message, { issues: [{ path: "before", message }] });
      }
    },

    async get(idOrName) {
      const row = await registry.row(idOrName);
      if (!row) return notFound("session", idOrName);
      return ok({ ...(await viewOf(row)), ...(await commandsOf(row, deps)) });
    },

    patch: (idOrName, patch) =>
      withActor(idOrName, async (actor) => {
        const { agent, worker } = actor.journal.row.about;
        const preset = deps.presets.get(agent);
        const refused =
          refuseWorkerOptions(worker, patch) ??
          (preset &&
            (refuseOptions(deps, preset, patch) ?? (await refuseAccount(deps, preset, patch.account))));
        if (refused) return refused;
        try {
          await actor.patch(patch);
        } catch (error) {
          if (error instanceof StoreError && error.code === "NAME_TAKEN") {
            return reject("NAME_TAKEN", `Another session is called ${patch.name}; choose another name`);
          }
          throw error;
        }
        if (patch.archived)
          feed.publish({ type: "session:archived", sessionId: actor.id, facts: { sessionId: actor.id } });
        return ok(actor.view());
      }),

    markSeen: (idOrName, { seq }) =>
      withActor(idOrName, async (actor) => {
        await actor.markSeen(seq);
        return ok(actor.view());
      }),

    remove: (idOrName, options) =>
      withActor(idOrName, (actor) => unlessFault(context, "delete", removeSession(context, actor, options))),

    send: (idOrName, message, caller) =>
      withActor(idOrName, (actor) => sendMessage(context, actor, { ...message, caller })),

    queue: (idOrName) => withActor(idOrName, async (actor) => ok(queueOf(actor.journal.row))),

    enqueue: (idOrName, message, { by, clientId }) =>
      withActor(idOrName, async (actor) => {
        const { content } = message;
        const found = await findAttachments(deps, actor.id, message.attachments);
        if (!found.ok) return found;
        const refused = refuseMessage(deps, actor.journal.row, { content, ...asPrompt(found.value) });
        if (refused) return refused;
        const sender = { by, ...(clientId ? { clientId } : {}) };
        const decided = await actor.run({
          type: "enqueue",
          message,
          ...sender,
          ...withoutBytes(found.value),
        });
        if (!decided.ok) return decided;
        await actor.startNext();
        return ok(queueOf(actor.journal.row));
      }),

    editQueued: (idOrName, { messageId, ...edit }, { by }) =>
      withActor(idOrName, async (actor) => {
        const { content } = edit;
        const { row } = actor.journal;
        const queued = row.state.queue.find((message) => message.messageId === messageId);
        if (content !== undefined) {
          const attached = await attachedTo(deps, actor.id, queued?.attachments);
          const refused = refuseMessage(deps, row, { content, ...attached });
          if (refused) return refused;
        }
        const decided = await actor.run({ type: "edit_queued", messageId, edit, by });
        return decided.ok ? ok(queueOf(actor.journal.row)) : decided;
      }),

    dropQueued: (idOrName, messageId) =>
      withActor(idOrName, async (actor) => {
        const decided = await actor.run({ type: "drop_queued", messageId });
        return decided.ok ? ok(queueOf(actor.journal.row)) : decided;
      }),

    interrupt: (idOrName) => withActor(idOrName, async (actor) => ok(await actor.endings.interrupt())),

    stop: (idOrName) =>
      withActor(idOrName, async (actor) => {
        await actor.stop();
        return ok(actor.view());
      }),

    resume: (idOrName, { answers }, caller) =>
      withActor(idOrName, async (actor) => {
        const answered = answers ? await answerWorker(context, actor, { answers, caller }) : ok(undefined);
        if (!answered.ok) return answered;
        const restored = await restoreWorkspace(context, actor);
        if (!restored.ok) return restored;
        await actor.resume();
        return ok(actor.view());
      }),

    reconnect: (idOrName) =>
      withActor(idOrName, async (actor) => {
        await actor.reconnect();
        return ok(actor.view());
      }),

    async items(idOrName, { before, after, limit }) {
      const located = await locateSession(context, idOrName);
      if (!located.ok) return located;
      const { id, lastSeq } = located.value;
      const reading = { store: deps.store, sessionId: id, open: openItems(await registry.get(id)) };
      if (after !== undefined) return ok(await pageAfter(reading, { after, limit }));
      return ok(await pageBefore(reading, { before: before ?? lastSeq + 1, limit }));
    },

    snapshot: (idOrName) => takeSnapshot(context, idOrName),

    looserThan: (sessionId, wanted) => whyLooser(context, sessionId, wanted),
    locate: (idOrName) => locateSession(context, idOrName),
    events: (sessionId, after, maxBytes) => deps.store.events(sessionId, after, maxBytes),

    subscribe: (sessionId, listener) => bus.subscribe(sessionId, listener),

    ...changesService(context),

    async attachment(idOrName, attachmentId) {
      const located = await locateSession(context, idOrName);
      if (!located.ok) return located;
      const bytes = await deps.attachments.read(located.value.id, attachmentId);
      const mediaType = bytes && attachmentTypeOf(bytes);
      return mediaType ? ok({ mediaType, bytes }) : notFound("attachment", attachmentId);
    },

    async rawLog(idOrName, which) {
      const located = await locateSession(context, idOrName);
      return located.ok ? ok(await deps.rawLogs.open(located.value.id, which)) : located;
    },
  };
}

/** The agent's own commands, if it has announced any. */
async function commandsOf(
  { id, state }: SessionRow,
  { store }: EngineContext["deps"],
): Promise<Pick<Session, "commands">> {
  const seq = state.commands?.seq;
  if (seq === undefined) return {};
  const [event] = await store.eventsOfTypes(id, { after: seq - 1, seq }, ["commands"]);
  return event ? { commands: (JSON.parse(event.data) as EventOf<"commands">).commands } : {};
}
