import type { IncomingMessage } from "node:http";
import { ok, type Rejection, type Result, reject } from "@drover/core";

export const maxBodyBytes = 16 * 1024 * 1024;
/** What someone may send who has no right yet: a login. */
const maxPublicBytes = 64 * 1024;

const tooLarge = (limit: number) =>
  reject("BODY_TOO_LARGE", `The body is larger than ${limit} bytes; send less at once`, { limit });

export interface BodyOptions {
  readonly isPublic: boolean;
  /** Called when the client may send. */
  readonly proceed: () => void;
}

/**
 * The whole body, unless it passes the cap: then no byte more is kept, and none is read at all when the client said
 * its size. Rejects when the client goes away.
 */
export async function readBody(
  request: IncomingMessage,
  { isPublic, proceed }: BodyOptions,
): Promise<Result<Buffer, Rejection>> {
  const encoding = request.headers["content-encoding"];
  if (encoding !== undefined && encoding !== "identity") {
    const message = `Content-Encoding ${encoding} is not understood; send the body as it is`;
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
  // Both may come, or only the latter, or it has come already.
  const onGone = () => fail(new ClientGone());
  request.on("error", onGone).on("close", onGone);
  if (request.destroyed) onGone();
  return promise;
}

/** The client left before it had said everything: nobody is there to be answered. */
export class ClientGone extends Error {
  override readonly name = "ClientGone";
}

const decoder = new TextDecoder("utf-8", { fatal: true });

export function decodeText(bytes: Uint8Array): Result<string, Rejection> {
  try {
    return ok(decoder.decode(bytes));
  } catch {
    return reject("INVALID_CHARACTER", "The body is not UTF-8; send it as that", { path: "" });
  }
}
