import type { OpenRequest } from "../../ports.ts";
import { record, text } from "../json.ts";
import { OpenRequests } from "../open-requests.ts";
import { ProcessBridge } from "./bridge.ts";
import { MapState } from "./map-state.ts";
import { sdkOptions } from "./options.ts";
import { PromptQueue } from "./prompt-queue.ts";
import { permissionResult } from "./requests.ts";
import { agentMissing, type InstalledSdk } from "./sdk.ts";
import type { PermissionResult, Query } from "./sdk-types.ts";

/** The SDK and everything around it except the process. */
export interface Conversation {
  readonly query: Query;
  readonly bridge: ProcessBridge;
  readonly prompts: PromptQueue;
  readonly requests: OpenRequests<PermissionResult>;
  readonly state: MapState;
}

export interface ConversationParts {
  readonly request: OpenRequest;
  readonly installed: InstalledSdk;
  readonly cli: string | undefined;
  readonly agentSessionId: string;
}

export function converse({ request, installed, cli, agentSessionId }: ConversationParts): Conversation {
  const { name } = request.preset;
  const prompts = new PromptQueue();
  const requests = new OpenRequests({ response: permissionResult });
  const bridge = new ProcessBridge({
    onWrite(message, written) {
      // Avoid an unhandled rejection when nobody awaits this.
      written.catch(() => undefined);
      if (message["type"] === "user") prompts.sent(text(message["uuid"]), written);
      if (message["type"] === "control_response") {
        const requestKey = text(record(message["response"])["request_id"]);
        if (requestKey !== undefined) requests.sent(requestKey, written);
      }
    },
  });
  const options = sdkOptions({
    request,
    agentSessionId,
    cli,
    canUseTool: async (_toolName, _input, { requestId, signal }) =>
      (await requests.respond(requestId, signal)) ?? null,
    spawn: bridge.spawn,
  });
  const query = open(installed, { prompts, options, name });
  // The SDK buffers messages that are not consumed; these are also in the agent's output.
  void drain(query);
  return { query, bridge, prompts, requests, state: new MapState({ name }) };
}

function open(
  { sdk }: InstalledSdk,
  { prompts, options, name }: { prompts: PromptQueue; options: ReturnType<typeof sdkOptions>; name: string },
): Query {
  try {
    return sdk.query({ prompt: prompts, options });
  } catch (error) {
    // The SDK has no program for this machine and none was found (0.3.325); any other error would be our bug.
    if (options.pathToClaudeCodeExecutable === undefined) throw agentMissing(name, { reason: String(error) });
    throw error;
  }
}

/** The SDK throws when the process ends; the connection has better information about the exit. */
async function drain(query: Query): Promise<void> {
  query.initializationResult().catch(() => undefined);
  try {
    for await (const _ of query);
  } catch {
    // Reported by the process.
  }
}
