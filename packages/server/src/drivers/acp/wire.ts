import { setImmediate as turn } from "node:timers/promises";
import type { AnyMessage, ClientRequestContext } from "@agentclientprotocol/sdk";
import type { Json } from "../json.ts";
import { requestKeyOf } from "./reader.ts";

export type Sdk = typeof import("@agentclientprotocol/sdk");

export interface WireOptions {
  /** Distinguishes our requests from those of earlier servers. */
  readonly epoch: number;
  /** Resolves when the line is written to the agent's input. */
  readonly write: (line: string) => Promise<void>;
  /** Resolves with the answer to an agent's request; undefined if it cannot be answered. */
  readonly respond: (requestKey: string, signal: AbortSignal) => Promise<unknown>;
  /** Called when an agent's request is being answered. */
  readonly onResponse: (requestKey: string, written: Promise<void>) => void;
}

/**
 * The official SDK with our own message stream around it: our requests carry an epoch, the SDK sees only messages it
 * has to handle, and a failing agent input does not close it.
 */
export interface Wire {
  /** Rejects with the agent's error; stays open when the agent ends. */
  request(method: string, params: unknown): Promise<unknown>;
  /** The method of one of our unanswered requests. */
  methodOf(id: unknown): string | undefined;
  /** The agent has answered `initialize`. */
  isConnected(): boolean;
  /** Takes the agent's requests and its responses to ours; responses to an earlier server are dropped. */
  accept(message: Json): void;
  /** Resolves when every immediate answer is written to the agent's input, or can no longer be. */
  written(): Promise<void>;
  /** Nothing is written or accepted after this. */
  close(): void;
}

interface OwnRequest {
  readonly number: number;
  readonly method: string;
}

/** Loading takes 60 ms: do it with the first agent instead of at server start. */
export const loadSdk = (): Promise<Sdk> => import("@agentclientprotocol/sdk");

export function openWire(sdk: Sdk, { epoch, write, respond, onResponse }: WireOptions): Wire {
  const { client, methods, RequestError } = sdk;
  const own = new Map<unknown, OwnRequest>();
  let incoming: ReadableStreamDefaultController<AnyMessage> | undefined;
  let isConnected = false;
  let lastWrite: Promise<void> = Promise.resolve();

  const send = (message: AnyMessage): void => {
    if ("method" in message && "id" in message) {
      const id = `e${epoch}:${message.id}`;
      own.set(id, { number: Number(message.id), method: message.method });
      lastWrite = settled(write(encode({ ...message, id })));
    } else {
      const written = write(encode(message));
      lastWrite = settled(written);
      if ("id" in message) onResponse(requestKeyOf(message.id), written);
    }
  };

  const answer = async ({ requestId, signal }: ClientRequestContext<unknown>): Promise<unknown> => {
    const response = await respond(requestKeyOf(requestId), signal);
    if (response === undefined) throw RequestError.invalidParams(undefined, "this cannot be answered here");
    return response;
  };

  // We read requests ourselves: one the SDK rejects over a detail would be open for people and closed for the agent.
  const asSent = (params: unknown): unknown => params;
  const connection = client({ name: "drover" })
    .onRequest(methods.client.session.requestPermission, asSent, answer)
    .onRequest(methods.client.elicitation.create, asSent, answer)
    .connect({
      readable: new ReadableStream<AnyMessage>({
        start: (controller) => {
          incoming = controller;
        },
      }),
      // Never rejects: the SDK would close itself. Callers that wait for a write use its own promise.
      writable: new WritableStream<AnyMessage>({ write: send }),
    });

  const pass = (message: Json): void => {
    if (!connection.signal.aborted) incoming?.enqueue({ ...message, jsonrpc: "2.0" } as AnyMessage);
  };
  return {
    request: (method, params) => connection.agent.request(method, params),
    methodOf: (id) => own.get(id)?.method,
    isConnected: () => isConnected,
    accept(message) {
      if (message["method"] !== undefined) return pass(message);
      const request = own.get(message["id"]);
      if (request === undefined) return;
      own.delete(message["id"]);
      if (request.method === methods.agent.initialize && "result" in message) isConnected = true;
      pass({ ...message, id: request.number });
    },
    async written() {
      // The SDK answers in microtasks, all of which have run by then.
      await turn();
      await lastWrite;
    },
    close: () => connection.close(),
  };
}

/** A failed write means the agent has ended, which its own promise reports. */
const settled = (written: Promise<void>): Promise<void> => written.catch(() => undefined);

export const encode = (message: object): string => `${JSON.stringify(message)}\n`;
