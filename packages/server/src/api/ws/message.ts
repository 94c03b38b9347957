import type { Rejection, Result } from "@drover/core";
import type { z } from "zod";
import type { Admitted } from "../../operations/admission.ts";
import type { Caller } from "../../service.ts";
import type { ApiContext } from "../context.ts";
import type { Frame } from "./frame.ts";
import type { Opening, OpenRequest } from "./opening.ts";

/** What a message handler sees of its socket. */
export interface Peer {
  readonly caller: Caller;
  prepare(request: OpenRequest): Promise<Result<Opening, Rejection>>;
  /** Follows an opening in place of any earlier one of that session. */
  follow(opening: Opening): void;
  /** Whether it was followed. */
  unfollow(sessionId: string): boolean;
}

export interface SocketReply {
  readonly frame: Frame;
  /** Runs right after the frame was sent, before anything else. */
  readonly afterwards?: () => void;
}

/** A WebSocket message as data, like a route: the socket, the docs and the tests all read this. */
export interface SocketMessage<S extends z.ZodType = z.ZodType> extends Admitted {
  readonly summary: string;
  /** All fields except `type` and `requestId`. */
  readonly schema: S;
  /** Waits for earlier messages of its kind on the same socket. */
  readonly inOrder?: true;
  handle(
    message: z.infer<S>,
    peer: Peer,
    context: ApiContext,
  ): Promise<Result<SocketReply, Rejection>> | Result<SocketReply, Rejection>;
}

export function message<S extends z.ZodType>(shape: SocketMessage<S>): SocketMessage {
  return shape;
}
