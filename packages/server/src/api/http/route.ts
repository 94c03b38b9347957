import type { IncomingMessage, ServerResponse } from "node:http";
import type { Rejection, Result } from "@drover/core";
import type { z } from "zod";
import type { Admitted } from "../../operations/admission.ts";
import type { Method } from "../../operations/operation.ts";
import type { Caller } from "../../service.ts";
import type { ApiContext } from "../context.ts";
import type { Right } from "../gate/gate.ts";
import type { Answer } from "./answer.ts";

/** `/api/sessions/:id` → `{id: string}`. */
type ParamsOf<P extends string> = P extends `${string}:${infer Name}/${infer Rest}`
  ? { readonly [K in Name | keyof ParamsOf<Rest>]: string }
  : P extends `${string}:${infer Name}`
    ? { readonly [K in Name]: string }
    : Readonly<Record<never, string>>;

/** One request that has passed the gate and every check of its route. */
export interface Call<P, Q, B> {
  readonly params: P;
  readonly query: Q;
  readonly body: B;
  readonly caller: Caller;
  readonly right: Right;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** What a stream needs from its request. */
export type Streamed = Pick<Call<unknown, unknown, unknown>, "request" | "response" | "right">;

/** The handler has answered on the response itself, or is doing so. */
export const answered = "answered";

/** A value becomes JSON with the route's status; an answer is sent as it is. */
export type Reply = Result<unknown, Rejection> | Answer | typeof answered;

/** A route as data: the router, the checks, OpenAPI and the tests all read this. */
export interface Route<
  P extends string = string,
  Q extends z.ZodObject = z.ZodObject,
  B extends z.ZodType = z.ZodType,
> extends Admitted {
  readonly method: Method;
  readonly path: P;
  readonly summary: string;
  readonly query?: Q;
  readonly body?: B;
  /** The status of success; 200 by default. */
  readonly status?: 200 | 201 | 202 | 204;
  /** Whether an answer only says that something was accepted: then its status is 202. */
  readonly isAccepted?: ((answer: unknown) => boolean) | undefined;
  /** JSON unless `produces` names another media type. Without either there is no success response. */
  readonly response?: z.ZodType;
  readonly produces?: string;
  /** Headers it uses besides those of every request, with a description of each. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Open to everyone who passes Host and Origin. */
  readonly isPublic?: true | ((params: Readonly<Record<string, string>>) => boolean);
  /** A file of the page itself: a login's cookie is enough. Everything else also needs the login's key. */
  readonly isPageFile?: true;
  /** Takes an Idempotency-Key. Its answer is stored, so it must not contain a secret. */
  readonly repeatable?: true;
  /** Rejects guesses before the caller is looked up, which is too expensive for them. */
  guard?(body: z.infer<B>, context: ApiContext): Rejection | undefined;
  /** Sends a stream instead of its value to a client that accepts text/event-stream. */
  stream?(value: unknown, exchange: Streamed, context: ApiContext): void;
  handle(call: Call<ParamsOf<P>, z.infer<Q>, z.infer<B>>, context: ApiContext): Promise<Reply> | Reply;
}

/** Lets the compiler derive a handler's types from its route; the table drops them again. */
export function route<P extends string, Q extends z.ZodObject, B extends z.ZodType>(
  shape: Route<P, Q, B>,
): Route {
  return shape;
}

/** Requested as a stream of events instead of one answer. */
export function wantsEvents(request: IncomingMessage): boolean {
  return (request.headers.accept ?? "").includes("text/event-stream");
}
