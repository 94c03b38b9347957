// node conversations-program.js REQUEST: reads or copies stored conversations and prints the answer as JSON. The SDK
// uses its process's environment, so it runs in a process with the agent's environment.
import { createRequire } from "node:module";
import type { AgentConversation, AgentHistory } from "../../ports.ts";
import { isRecord, type Json } from "../json.ts";
import { pastItems } from "./history.ts";
import type { ConversationsSdk, SessionInfo } from "./sdk-types.ts";

/** Conversations are identified together with the directory they took place in. */
export type ConversationsRequest = { readonly sdk: string } & (
  | { readonly want: "list"; readonly dir?: string }
  | { readonly want: "history"; readonly dir: string; readonly id: string }
  | {
      readonly want: "fork";
      readonly dir: string;
      readonly id: string;
      readonly title: string;
      readonly upTo?: string;
    }
);

/** null: no such conversation. */
export interface ConversationsAnswers {
  readonly list: AgentConversation[];
  readonly history: AgentHistory | null;
  readonly fork: string | null;
}

async function answer(request: ConversationsRequest): Promise<ConversationsAnswers[typeof request.want]> {
  const sdk = createRequire(request.sdk)(request.sdk) as ConversationsSdk;
  if (request.want === "list") {
    const { dir } = request;
    const found = await sdk.listSessions(dir === undefined ? {} : { dir, includeWorktrees: false });
    return found.flatMap(conversation);
  }
  const { id, dir } = request;
  const messages = await sdk.getSessionMessages(id, { dir });
  if (messages.length === 0) return null;
  if (request.want === "fork") {
    const { title, upTo } = request;
    const cut = upTo === undefined ? {} : { upToMessageId: upTo };
    return (await sdk.forkSession(id, { dir, title, ...cut })).sessionId;
  }
  const helpers = await sdk.listSubagents(id, { dir });
  const nested = await Promise.all(helpers.map((helper) => sdk.getSubagentMessages(id, helper, { dir })));
  const info = await sdk.getSessionInfo(id, { dir });
  const items = pastItems(
    [messages, ...nested].flat().filter((message): message is Json => isRecord(message)),
  );
  return { title: info?.summary ?? "", items };
}

function conversation({ sessionId, summary, cwd, lastModified }: SessionInfo): AgentConversation[] {
  if (cwd === undefined) return [];
  const updatedAt = new Date(lastModified).toISOString();
  return [{ agentSessionId: sessionId, title: summary, cwd, updatedAt }];
}

const request = JSON.parse(process.argv[2] ?? "{}") as ConversationsRequest;
process.stdout.write(JSON.stringify(await answer(request)));
