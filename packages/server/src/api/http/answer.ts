import type { OutgoingHttpHeaders, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { type Rejection, type RejectionCode, rejectionStatus } from "@drover/core";
import type { HttpLimits } from "../deps.ts";
import { brief } from "../input/validate.ts";
import { pieceBytes, piecesOf, pour } from "./pour.ts";
import type { UnreadBytes } from "./unread-bytes.ts";

/** Seconds after which it is worth asking again. */
const retryAfter: Partial<Record<RejectionCode, number>> = {
  STORE_BUSY: 1,
  SHUTTING_DOWN: 2,
  TOO_MANY_CONNECTIONS: 5,
  STORAGE_FULL: 30,
};

const commonHeaders = {
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "no-referrer",
  "Cache-Control": "no-store",
};

/** An answer before it is written: what a socket, a response and a stored receipt have in common. */
export interface Answer {
  readonly status: number;
  readonly headers: OutgoingHttpHeaders;
  readonly body: string | Uint8Array;
}

export function jsonAnswer(status: number, body: string, headers: OutgoingHttpHeaders = {}): Answer {
  return { status, headers: { "Content-Type": "application/json", ...headers }, body };
}

/** Messages repeat text that a client or an agent sent. */
export const maxMessage = 16_384;

export function rejectionAnswer(rejection: Rejection): Answer {
  const { code, message, facts } = rejection;
  const seconds = code === "TOO_MANY_ATTEMPTS" ? facts?.["retryAfter"] : retryAfter[code];
  return jsonAnswer(
    rejectionStatus[code],
    JSON.stringify({ error: brief(message, maxMessage), code, ...facts }),
    {
      ...(seconds === undefined ? {} : { "Retry-After": String(seconds) }),
      ...(code === "UNAUTHENTICATED" ? { "WWW-Authenticate": "Bearer" } : {}),
    },
  );
}

/** How long a rejected client may be silent, and how many of these periods it may take to send everything. */
const silenceMs = 2_000;
const maxSilences = 15;

/**
 * A rejected client may still be sending. We keep reading, so that it gets the answer and not a reset: `close` is
 * called when it falls silent or sends without end, unless the returned function is called first.
 */
export function linger(socket: Socket, close: () => void): () => void {
  let bytesBefore = socket.bytesRead;
  let looks = 0;
  const timer = setInterval(() => {
    const isSilent = socket.bytesRead === bytesBefore;
    bytesBefore = socket.bytesRead;
    if (!isSilent && ++looks < maxSilences) return;
    clearInterval(timer);
    close();
  }, silenceMs);
  return () => clearInterval(timer);
}

export interface Patience {
  /** How long the client may read nothing of a long answer. */
  readonly limits: Pick<HttpLimits, "stallMs">;
  /** Where the unread part of an answer is counted. */
  readonly unread: UnreadBytes;
}

/** Writes an answer, unless one was started or the client is gone. */
export function send(response: ServerResponse, answer: Answer, patience: Patience): void {
  if (response.headersSent || response.destroyed) return;
  const size = Buffer.byteLength(answer.body);
  const length = answer.status === 204 ? {} : { "Content-Length": size };
  response.writeHead(answer.status, { ...commonHeaders, ...answer.headers, ...length });
  const { req: request } = response;
  // Longer than one piece: the client may be slow, or read nothing.
  if (request.complete && size > pieceBytes) {
    // As bytes: a string kept beside them would count twice.
    const { body } = answer;
    return void sendLong(response, typeof body === "string" ? Buffer.from(body) : body, patience);
  }
  if (request.complete) {
    response.end(answer.body);
    return void countUnread(response, patience);
  }
  // The answer is being sent; only its end waits until the rest of the request has been discarded.
  if (answer.body.length > 0) response.write(answer.body);
  else response.flushHeaders();
  const stop = linger(request.socket, () => response.destroy());
  request.on("end", () => response.end());
  request.on("close", stop);
  request.resume();
}

/** The kernel usually takes a short answer at once, but not from a client that left earlier ones unread. */
function countUnread(response: ServerResponse, { unread }: Patience): void {
  const held = response.socket?.writableLength ?? 0;
  if (held === 0) return;
  const reader = { cut: () => void response.destroy() };
  unread.set(reader, held);
  response.once("close", () => unread.set(reader, 0));
}

async function sendLong(
  response: ServerResponse,
  body: Uint8Array,
  { limits, unread }: Patience,
): Promise<void> {
  const reader = { cut: () => void response.destroy() };
  const pieces = piecesOf(body, (bytes) => unread.set(reader, bytes));
  try {
    await pour(response, pieces, limits.stallMs);
  } catch {
    response.destroy();
  } finally {
    unread.set(reader, 0);
  }
}

/** The same answer for a connection without a response object: a rejected upgrade, a malformed request. */
export function rawAnswer(answer: Answer): string {
  const headers = {
    ...commonHeaders,
    ...answer.headers,
    "Content-Length": Buffer.byteLength(answer.body),
    Connection: "close",
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return [`HTTP/1.1 ${answer.status} Refused`, ...lines, "", String(answer.body)].join("\r\n");
}
