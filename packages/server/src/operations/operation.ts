import type { Immutable, Rejection, Result } from "@drover/core";
import type { z } from "zod";
import type { Caller, Service } from "../service.ts";
import type { Admitted } from "./admission.ts";

export type Method = "GET" | "POST" | "PATCH" | "DELETE";

/** The fields of an input that are part of its path: `/api/sessions/:id` has `sessionId`. */
export type PathFields<P extends string> = P extends `${string}:${infer Name}/${infer Rest}`
  ? { readonly [Key in FieldOf<Name> | keyof PathFields<Rest>]: string }
  : P extends `${string}:${infer Name}`
    ? { readonly [Key in FieldOf<Name>]: string }
    : Readonly<Record<never, string>>;

type FieldOf<Name extends string> = Name extends "id" ? "sessionId" : Name;

/** The name that a parameter of a path has in the input. */
export const fieldOf = (parameter: string): string => (parameter === "id" ? "sessionId" : parameter);

/** The fields of the input that a path has, in its order. */
export const pathFields = (path: string): string[] =>
  [...path.matchAll(/:(\w+)/g)].map(([, name = ""]) => fieldOf(name));

export interface HttpFace<P extends string = string, I = unknown, H extends object = object> {
  readonly method: Method;
  readonly path: P;
  /** Of success; 200 when absent. */
  readonly status?: 201 | 202;
  /** The input as a query, where everything is text. Without it a GET takes `input` and all others take a body. */
  readonly query?: z.ZodObject & z.ZodType<I>;
  /** Headers it reads besides those of every request, with what each does. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The fields of the input that come from these headers; no other face has them. */
  fromHeaders?(header: (name: string) => string | undefined): H;
}

export interface SocketFace<I extends z.ZodObject = z.ZodObject> {
  /** Of the message. */
  readonly type: string;
  /** The type of the frame that answers it. */
  readonly reply: string;
  /** Where it differs from that of the operation. */
  readonly summary?: string;
  /** What the message holds, where that is not the operation's input with the fields of its path. */
  readonly input?: I;
  /** What the frame holds; the answer itself when absent. */
  frame?(value: unknown, input: z.infer<I>): object;
  /** Does the operation with an input of the message's own. */
  run?(service: Service, input: z.infer<I>, caller: Caller): Promise<Result<unknown, Rejection>>;
  /** Of `run`, where it is not the operation's. */
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
  /** Everything but the fields of the path; nothing when absent. */
  readonly input?: I;
  readonly output: O;
  readonly limits?: {
    /** The part of the input that becomes a prompt. */
    prompt(input: z.infer<I>): string | undefined;
  };
  /** Doing it again changes nothing more. What is not idempotent takes an Idempotency-Key. */
  readonly idempotent: boolean;
  readonly http: HttpFace<P, z.infer<I>, H>;
  readonly socket?: SocketFace;
  run(
    service: Service,
    input: PathFields<P> & z.infer<I> & Partial<H>,
    caller: Caller,
  ): Promise<Result<Immutable<z.infer<O>>, Rejection>>;
}

/** Lets the compiler check `run` against the input, the path and the output; the table forgets these types again. */
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

/** A read changes nothing: it is taken while nothing new is, and answered in the order it was asked. */
export const isRead = ({ http }: Operation): boolean => http.method === "GET";
