import { type ConversationInfo, ok, type Preset, type Rejection, type Result, reject } from "@drover/core";
import type { AgentPlace, Conversations, NewSession, SessionRow } from "../../ports.ts";
import type { Answer } from "../../service.ts";
import type { EngineContext } from "../context.ts";
import { unlessFault } from "../unless-fault.ts";
import { beginWith, remembered } from "./begin-with-past.ts";

/** The archive of an agent's conversations, and the environment to read it with. */
export interface Archive {
  readonly conversations: Conversations;
  readonly place: AgentPlace;
}

/** The archive of a session's agent; undefined if it has none, or is no longer configured. */
export async function archiveOf(
  { deps, projects }: EngineContext,
  row: SessionRow,
): Promise<Archive | undefined> {
  const { id, cwd, about } = row;
  const preset = deps.presets.get(about.agent);
  const conversations = deps.drivers[about.driver]?.conversations;
  if (!preset || !conversations) return undefined;
  const project = await projects.current(row);
  const env = deps.environment({ preset, sessionId: id, project: project?.env });
  return { conversations, place: { preset, env, cwd } };
}

export const unknownConversation = (name: string, agentSessionId: string): Result<never, Rejection> =>
  reject(
    "NOT_FOUND",
    `${name} has no conversation ${agentSessionId} in this directory; GET /api/agents/:agent/conversations lists them`,
    { what: "conversation" },
  );

/**
 * A session that takes over a conversation, with its whole transcript. Without an archive it starts with an empty one.
 */
export async function adopt(context: EngineContext, row: SessionRow): Promise<Result<NewSession, Rejection>> {
  const { agentSessionId } = row.runtime;
  if (agentSessionId === undefined) return ok({ row });
  const archive = await archiveOf(context, row);
  const holder = await holderOf(context, row.about, agentSessionId);
  if (holder) {
    const orFork = archive ? ", or fork it" : "";
    const message = `${holder.name} (${holder.id}) already has this conversation; send your message there${orFork}`;
    return reject("BAD_REQUEST", message, { issues: [{ path: "agentSessionId", message }] });
  }
  if (!archive) return ok({ row });
  const { conversations, place } = archive;
  return unlessFault(
    context,
    "conversations",
    conversations.history(place, agentSessionId).then((history) => {
      if (!history) return unknownConversation(place.preset.name, agentSessionId);
      const title = row.about.title || history.title.slice(0, 500);
      const titled = { ...row, about: { ...row.about, title } };
      return ok(beginWith(titled, remembered(history.items, row.createdAt)));
    }),
  );
}

/**
 * The session, archived or not, that has this conversation. Agents of a driver that can list conversations share them;
 * with any other driver, two agents may use the same id for two conversations.
 */
async function holderOf(
  { deps }: EngineContext,
  { agent, driver }: Pick<Preset, "agent" | "driver">,
  agentSessionId: string,
): Promise<SessionRow | undefined> {
  const isShared = deps.drivers[driver]?.conversations !== undefined;
  for (const archived of [false, true]) {
    const { rows } = await deps.store.sessions({ limit: 50, archived, agentSessionId });
    const holder = rows.find(({ about }) => (isShared ? about.driver === driver : about.agent === agent));
    if (holder) return holder;
  }
  return undefined;
}

/** The conversations an agent could continue in the allowed directories, or in one of them. */
export async function listConversations(
  context: EngineContext,
  { preset, cwd }: { preset: Preset; cwd: string | undefined },
): Answer<{ conversations: ConversationInfo[] }> {
  const { deps, projects } = context;
  const conversations = deps.drivers[preset.driver]?.conversations;
  if (!conversations) {
    const what = "conversations";
    return reject("UNSUPPORTED", `${preset.name} does not list its conversations; look in its own history`, {
      what,
    });
  }
  const directory = cwd === undefined ? ok(undefined) : await deps.resolvePath(cwd, "cwd");
  if (!directory.ok) return directory;
  const project = directory.value === undefined ? undefined : await projects.holder(directory.value);
  const env = deps.environment({ preset, sessionId: "", project: project?.env });
  const place = { preset, env, ...(directory.value === undefined ? {} : { cwd: directory.value }) };
  return unlessFault(
    context,
    "conversations",
    conversations.list(place).then(async (found) => {
      const listed: ConversationInfo[] = [];
      for (const conversation of found) {
        if (!(await deps.resolvePath(conversation.cwd, "cwd")).ok) continue;
        const holder = await holderOf(context, preset, conversation.agentSessionId);
        listed.push({ ...conversation, ...(holder ? { sessionId: holder.id } : {}) });
      }
      return ok({ conversations: listed });
    }),
  );
}
