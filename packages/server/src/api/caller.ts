import type { IncomingMessage } from "node:http";
import { ok, type Rejection, type Result, reject } from "@drover/core";
import type { Caller } from "../service.ts";
import type { Right } from "./gate.ts";

/**
 * Who asks, as the log will remember it. The name is the client's own word and proves nothing: rights come from the
 * gate. `named` is how a browser's socket gives it, which cannot set headers.
 */
export function callerOf(request: IncomingMessage, right: Right, named?: string): Result<Caller, Rejection> {
  const header = request.headers["x-client-id"];
  const clientId = typeof header === "string" ? header : named;
  if (clientId !== undefined && !/^[\x21-\x7e]{1,100}$/.test(clientId)) {
    const message = "X-Client-Id is 1 to 100 printable ASCII characters without spaces";
    return reject("BAD_REQUEST", message, { issues: [{ path: "X-Client-Id", message }] });
  }
  const isCli = request.headers["x-drover-client"] === "cli";
  const by = right.by === "cookie" ? `web:${clientId ?? "page"}` : isCli ? "cli" : "api";
  return ok({ by, ...(clientId === undefined ? {} : { clientId }) });
}
