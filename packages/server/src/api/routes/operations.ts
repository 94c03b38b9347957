import { fieldOf, isRead, type Operation } from "../../operations/operation.ts";
import { perform } from "../../operations/perform.ts";
import type { Route } from "../http/route.ts";
import { streamTurn } from "./turn-stream.ts";

/** The operations whose answer a client may request as a stream. */
const streams: Readonly<Record<string, NonNullable<Route["stream"]>>> = { "sessions.send": streamTurn };

/** An operation over HTTP. */
export function routeOf(operation: Operation): Route {
  const { admission, always, name, summary, input, output, http } = operation;
  const { method, path, status, isAccepted, headers, fromHeaders } = http;
  const query = http.query ?? (isRead(operation) ? input : undefined);
  const body = query ? undefined : input;
  const stream = streams[name];
  return {
    ...{ method, path, admission, summary, response: output },
    ...(always ? { always } : {}),
    ...(operation.idempotent ? {} : { repeatable: true }),
    ...(status ? { status } : {}),
    ...(isAccepted ? { isAccepted } : {}),
    ...(query ? { query } : {}),
    ...(body ? { body } : {}),
    ...(headers ? { headers } : {}),
    ...(stream ? { stream } : {}),
    handle: async ({ params, query: asked, body: sent, request, caller }, { deps }) => {
      const named = Object.entries(params).map(([parameter, value]) => [fieldOf(parameter), value]);
      const header = (key: string) => request.headers[key]?.toString();
      const fields = {
        ...asked,
        ...(sent as object),
        ...fromHeaders?.(header),
        ...Object.fromEntries(named),
      };
      return perform(operation, { caller, input: fields }, deps);
    },
  };
}
