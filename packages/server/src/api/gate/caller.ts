import type { IncomingMessage } from "node:http";
import { ok, type Rejection, type Result, reject } from "@drover/core";
import type { Peer } from "../../ports.ts";
import type { Caller } from "../../service.ts";
import type { Right } from "./gate.ts";

export interface Asking {
  readonly request: IncomingMessage;
  readonly right: Right;
  readonly peer: Peer;
  /** How a browser's WebSocket gives its name, since it cannot set headers. */
  readonly named?: string | undefined;
}

/**
 * The caller, as the log records it. A client chooses its name freely and it proves nothing: rights come from the gate.
 * A session's process cannot choose a name.
 */
export function callerOf({ request, right, peer, named }: Asking): Result<Caller, Rejection> {
  if (typeof peer === "object") return ok({ by: `agent:${peer.sessions[0]}` });
  const header = request.headers["x-client-id"];
  const clientId = typeof header === "string" ? header : named;
  if (clientId !== undefined && !/^[\x21-\x7e]{1,100}$/.test(clientId)) {
    const message = "X-Client-Id must be 1 to 100 printable ASCII characters without spaces";
    return reject("BAD_REQUEST", message, { issues: [{ path: "X-Client-Id", message }] });
  }
  const isCli = request.headers["x-drover-client"] === "cli";
  const by = right.by === "cookie" ? `web:${clientId ?? "page"}` : isCli ? "cli" : "api";
  return ok({ by, ...(clientId === undefined ? {} : { clientId }) });
}
