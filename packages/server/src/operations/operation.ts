import type { Immutable, Rejection, Result } from "@drover/core";
import type { z } from "zod";
import type { Caller, Service } from "../service.ts";
import type { Admitted } from "./admission.ts";

export type Method = "GET" | "POST" | "PATCH" | "DELETE";

/** The input fields that are part of the path: `/api/sessions/:id` has `sessionId`. */
export type PathFields<P extends string> = P extends `${string}:${infer Name}/${infer Rest}`
  ? { readonly [Key in FieldOf<Name> | keyof PathFields<Rest>]: string }
  : P extends `${string}:${infer Name}`
    ? { readonly [Key in FieldOf<Name>]: string }
    : Readonly<Record<never, string>>;

type FieldOf<Name extends string> = Name extends "id" ? "sessionId" : Name;

/** The input field for a path parameter. */
export const fieldOf = (parameter: string): string => (parameter === "id" ? "sessionId" : parameter);

/** The input fields in a path, in order. */
export const pathFields = (path: string): string[] =>
  [...path.matchAll(/:(\w+)/g)].map(([, name = ""]) => fieldOf(name));

export interface HttpFace<P extends string = string, I = unknown, H extends object = object> {
  readonly method: Method;
  readonly path: P;
  /** The status of success; 200 if absent. */
  readonly status?: 201 | 202;
  /** Whether an answer only says that something was accepted: then its status is 202. */
  isAccepted?(answer: unknown): boolean;
  /** The input as a query, where everything is text. Without it a GET takes `input` and all others take a body. */
  readonly query?: z.ZodObject & z.ZodType<I>;
  /** Headers it reads besides those of every request, with a description of each. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The input fields that come from these headers; no other face has them. */
  fromHeaders?(header: (name: string) => string | undefined): H;
}

export interface SocketFace<I extends z.ZodObject = z.ZodObject> {
  /** The type of the message. */
  readonly type: string;
  /** The type of the frame that answers it. */
  readonly reply: string;
  /** If it differs from the operation's. */
  readonly summary?: string;
  /** The message's fields, if they are not the operation's input with its path fields. */
  readonly input?: I;
  /** The frame's fields; the answer itself if absent. */
  frame?(value: unknown, input: z.infer<I>): object;
  /** Runs the operation with the message's own input. */
  run?(service: Service, input: z.infer<I>, caller: Caller): Promise<Result<unknown, Rejection>>;
  /** The admission for `run`, if it differs from the operation's. */
  readonly output?: z.ZodType;
}

/**
 * One ability of Drover, for all faces: HTTP routes, WebSocket messages and OpenAPI are derived from this, and so are
 * its checks.
 */
export interface Operation<
  P extends string = string,
  I extends z.ZodObject = z.ZodObject,
  O extends z.ZodType = z.ZodType,
  H extends object = object,
> extends Admitted {
  /** `sessions.create`. */
  readonly name: string;
  readonly summary: string;
  /** All input except the path fields; none if absent. */
  readonly input?: I;
  readonly output: O;
  readonly limits?: {
    /** The part of the input that becomes a prompt. */
    prompt(input: z.infer<I>): string | undefined;
  };
  /** Repeating it changes nothing more. Operations that are not idempotent take an Idempotency-Key. */
  readonly idempotent: boolean;
  readonly http: HttpFace<P, z.infer<I>, H>;
  readonly socket?: SocketFace;
  run(
    service: Service,
    input: PathFields<P> & z.infer<I> & Partial<H>,
    caller: Caller,
  ): Promise<Result<Immutable<z.infer<O>>, Rejection>>;
}

/** Lets the compiler check `run` against the input, the path and the output; the table drops these types again. */
export function operation<
  P extends string,
  O extends z.ZodType,
  I extends z.ZodObject = z.ZodObject,
  H extends object = object,
>(shape: Operation<P, I, O, H>): Operation {
  return shape as unknown as Operation;
}

/** Lets the compiler check a message's own `run` and `frame` against its input. */
export function socketFace<I extends z.ZodObject>(face: SocketFace<I>): SocketFace {
  return face;
}

/** A read changes nothing: it is accepted while nothing new is, and answered in the order of the requests. */
export const isRead = ({ http }: Operation): boolean => http.method === "GET";
