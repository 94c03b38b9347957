import type { IncomingMessage } from "node:http";
import { ok, type Rejection, type Result, reject } from "@drover/core";

export const maxBodyBytes = 16 * 1024 * 1024;
/** What an unauthenticated client may send: a login. */
const maxPublicBytes = 64 * 1024;

const tooLarge = (limit: number) =>
  reject("BODY_TOO_LARGE", `The body is larger than ${limit} bytes; send less at once`, { limit });

export interface BodyOptions {
  readonly isPublic: boolean;
  /** Called when the client may send. */
  readonly proceed: () => void;
}

/**
 * The complete body, unless it exceeds the limit: then no further byte is kept, and none is read at all if the client
 * announced its size. Rejects if the client disconnects.
 */
export async function readBody(
  request: IncomingMessage,
  { isPublic, proceed }: BodyOptions,
): Promise<Result<Buffer, Rejection>> {
  const encoding = request.headers["content-encoding"];
  if (encoding !== undefined && encoding !== "identity") {
    const message = `Content-Encoding ${encoding} is not supported; send the body unencoded`;
    return reject("BAD_REQUEST", message, { issues: [{ path: "", message }] });
  }
  const limit = isPublic ? maxPublicBytes : maxBodyBytes;
  if (Number(request.headers["content-length"] ?? 0) > limit) return tooLarge(limit);
  proceed();
  const chunks: Buffer[] = [];
  let size = 0;
  const { promise, resolve, reject: fail } = Promise.withResolvers<Result<Buffer, Rejection>>();
  request.on("data", (chunk: Buffer) => {
    size += chunk.byteLength;
    if (size <= limit) chunks.push(chunk);
    else {
      chunks.length = 0;
      resolve(tooLarge(limit));
    }
  });
  request.on("end", () => resolve(ok(Buffer.concat(chunks))));
  // Both may come, or only the latter, or it may already have come.
  const onGone = () => fail(new ClientGone());
  request.on("error", onGone).on("close", onGone);
  if (request.destroyed) onGone();
  return promise;
}

/** The client disconnected before it had sent everything: there is no one left to answer. */
export class ClientGone extends Error {
  override readonly name = "ClientGone";
}

const decoder = new TextDecoder("utf-8", { fatal: true });

export function decodeText(bytes: Uint8Array): Result<string, Rejection> {
  try {
    return ok(decoder.decode(bytes));
  } catch {
    return reject("INVALID_CHARACTER", "The body is not valid UTF-8; encode it as UTF-8", { path: "" });
  }
}
