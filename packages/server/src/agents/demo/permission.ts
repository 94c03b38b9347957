import {
  methods,
  type PermissionOption,
  type RequestPermissionResponse,
  type ToolCallUpdate,
} from "@agentclientprotocol/sdk";
import { messageOf } from "./text.ts";
import type { Turn } from "./turn.ts";

/** Our own ids: they expose a client that answers by id instead of by kind. */
const options: PermissionOption[] = [
  { optionId: "demo-yes", name: "Allow", kind: "allow_once" },
  { optionId: "demo-yes-from-now-on", name: "Allow from now on", kind: "allow_always" },
  { optionId: "demo-no", name: "Reject", kind: "reject_once" },
  { optionId: "demo-no-from-now-on", name: "Reject from now on", kind: "reject_always" },
];

export type Verdict = { readonly allowed: true } | { readonly allowed: false; readonly reason?: string };

/** Lasting decisions by tool name. They live as long as the process. */
export type StandingVerdicts = Map<string, Verdict>;

export interface PermissionQuestion {
  readonly turn: Turn;
  readonly toolName: string;
  readonly call: ToolCallUpdate;
  readonly standing: StandingVerdicts;
}

/** Asks the client whether a tool call may run. Rejects if the turn is cancelled, by this answer or in the meantime. */
export async function askPermission({
  turn,
  toolName,
  call,
  standing,
}: PermissionQuestion): Promise<Verdict> {
  const decided = standing.get(toolName);
  if (decided) return decided;
  let response: RequestPermissionResponse;
  try {
    response = await turn.client.request(
      methods.client.session.requestPermission,
      { sessionId: turn.sessionId, toolCall: call, options },
      { cancellationSignal: turn.signal, stopWaitingOnCancel: true },
    );
  } catch (error) {
    turn.signal.throwIfAborted();
    return { allowed: false, reason: `the client could not be asked: ${messageOf(error)}` };
  }
  const { outcome } = response;
  if (outcome.outcome === "cancelled") turn.cancel();
  turn.signal.throwIfAborted();
  const chosen = options.find((option) => "optionId" in outcome && option.optionId === outcome.optionId);
  const verdict: Verdict =
    chosen?.kind === "allow_once" || chosen?.kind === "allow_always" ? { allowed: true } : denied(response);
  if (chosen?.kind === "allow_always" || chosen?.kind === "reject_always") standing.set(toolName, verdict);
  return verdict;
}

function denied(response: RequestPermissionResponse): Verdict {
  const reason = response._meta?.["drover/reason"];
  return typeof reason === "string" && reason !== "" ? { allowed: false, reason } : { allowed: false };
}
