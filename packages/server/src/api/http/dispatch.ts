import { createHash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { ok, type Rejection, type Result } from "@drover/core";
import { callerRefusal, peerFor, refusalOf } from "../../operations/admission.ts";
import { checkKey, Idempotency } from "../../operations/idempotency.ts";
import type { Intent, Peer } from "../../ports.ts";
import type { Caller } from "../../service.ts";
import type { ApiContext } from "../context.ts";
import { callerOf } from "../gate/caller.ts";
import { pathOf, type Right } from "../gate/gate.ts";
import { checkParams, parseBody, parseQuery } from "../input/input.ts";
import { type Answer, jsonAnswer, rejectionAnswer, send } from "./answer.ts";
import { ClientGone, readBody } from "./body.ts";
import { rejectionOf } from "./failure.ts";
import { answered, type Reply, type Route, wantsEvents } from "./route.ts";
import { isPublic, type Router } from "./router.ts";

export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly right: Right;
  /** Tells a client that waits for permission to send its body. */
  readonly proceed: () => void;
}

type Outcome = Answer | typeof answered;

interface Run {
  readonly route: Route;
  readonly peer: Peer;
  readonly caller: Caller;
  readonly bytes: Buffer;
  readonly handle: (caller: Caller) => Promise<Reply>;
}

/** Takes an admitted request through its route's checks to its handler, and writes the answer. Never rejects. */
export class Dispatcher {
  private readonly context: ApiContext;
  private readonly router: Router;
  private readonly idempotency: Idempotency;

  constructor(context: ApiContext, router: Router) {
    this.context = context;
    this.router = router;
    this.idempotency = new Idempotency(context.deps.receipts);
  }

  async dispatch(exchange: Exchange): Promise<void> {
    const { request, response } = exchange;
    try {
      const outcome = await this.outcome(exchange);
      if (outcome !== answered) send(response, outcome, this.context);
    } catch (error) {
      if (error instanceof ClientGone || response.destroyed) return void response.destroy();
      const what = `${request.method} ${pathOf(request)}`;
      const rejection = rejectionOf(error, { logger: this.context.deps.logger, what });
      // An answer that has started cannot be taken back; cut short, the client sees that it is incomplete.
      if (response.headersSent) response.destroy();
      else send(response, rejectionAnswer(rejection), this.context);
    }
  }

  private async outcome(exchange: Exchange): Promise<Outcome> {
    const { request, right } = exchange;
    const found = this.router.find(request.method ?? "", pathOf(request));
    if (!found.ok) return rejectionAnswer(found.error);
    const { route } = found.value;
    if (right.by === "public" && !isPublic(found.value))
      throw new Error(`${route.path} was reached without credentials`);
    const { service, peerOf } = this.context.deps;
    const closed = route.always || route.method === "GET" ? undefined : service.refusing();
    if (closed) return rejectionAnswer(closed);
    const findPeer = () => peerFor(route, () => peerOf(request.socket));
    const known = route.guard ? undefined : await findPeer();
    const unwelcome = known && callerRefusal(route, { peer: known, right });
    if (unwelcome) return rejectionAnswer(unwelcome);
    const params = checkParams(found.value.params);
    if (!params.ok) return rejectionAnswer(params.error);
    const query = parseQuery(route, request);
    if (!query.ok) return rejectionAnswer(query.error);
    const bytes = await readAll(exchange);
    if (!bytes.ok) return rejectionAnswer(bytes.error);
    const body = parseBody(route, bytes.value);
    if (!body.ok) return rejectionAnswer(body.error);
    const guess = route.guard?.(body.value, this.context);
    if (guess) return rejectionAnswer(guess);
    const peer = known ?? (await findPeer());
    const caller = callerOf({ request, right, peer });
    if (!caller.ok) return rejectionAnswer(caller.error);
    const asked = { sessionId: params.value["id"], input: body.value };
    const refused = await refusalOf(service, { operation: route, peer, right, ...asked });
    if (refused) return rejectionAnswer(refused);
    // Its body may have taken a while.
    if (right.by === "cookie" && !this.context.auth.logins.isOpen(right.login))
      return rejectionAnswer(loginEnded);

    const call = { ...exchange, params: params.value, query: query.value, body: body.value };
    const handle = async (by: Caller) => route.handle({ ...call, caller: by }, this.context);
    const run = { route, peer, caller: caller.value, bytes: bytes.value, handle };
    const reply = await this.once(exchange, run);
    if (route.stream && wantsEvents(request) && reply !== answered && "ok" in reply && reply.ok) {
      route.stream(reply.value, exchange, this.context);
      return answered;
    }
    return outcomeOf(route, reply);
  }

  private async once({ request }: Exchange, run: Run): Promise<Reply> {
    const { route, peer, caller, bytes, handle } = run;
    const header = request.headers["idempotency-key"];
    if (!route.repeatable || typeof header !== "string") return handle(caller);
    const key = checkKey(header);
    if (!key.ok) return key;
    // A session's process has its own keys: it neither gets a person's answers nor uses up a person's keys.
    const owner = typeof peer === "object" ? `${caller.by} ` : "";
    const intent = { key: `http:${owner}${key.value}`, hash: hashOf(request, bytes), clientKey: key.value };
    return this.idempotency.once(intent, async (known: Intent) => {
      const reply = await handle({ ...caller, intent: known });
      if (reply !== answered && "ok" in reply) return reply;
      throw new Error(`${route.path} answered in a way that cannot be repeated`);
    });
  }
}

/** The same request has the same method, path and body. */
function hashOf(request: IncomingMessage, body: Uint8Array): string {
  const hash = createHash("sha256").update(`${request.method} ${pathOf(request)}\n`);
  return hash.update(body).digest("hex");
}

const loginEnded: Rejection = {
  code: "UNAUTHENTICATED",
  message: "This login was revoked or has expired. Log in again.",
};

async function readAll({ request, proceed, right }: Exchange): Promise<Result<Buffer, Rejection>> {
  if (request.method === "GET" || request.method === "HEAD") return ok(Buffer.alloc(0));
  return readBody(request, { isPublic: right.by === "public", proceed });
}

function outcomeOf(route: Route, reply: Reply): Outcome {
  if (reply === answered || "status" in reply) return reply;
  if (!reply.ok) return rejectionAnswer(reply.error);
  const status = route.isAccepted?.(reply.value) ? 202 : (route.status ?? 200);
  return status === 204 ? { status, headers: {}, body: "" } : jsonAnswer(status, JSON.stringify(reply.value));
}
