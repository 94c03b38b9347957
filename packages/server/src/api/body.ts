import type { IncomingMessage } from "node:http";
import { ok, type Rejection, type Result, reject } from "@drover/core";

export const maxBodyBytes = 16 * 1024 * 1024;

const tooLarge = () =>
  reject("BODY_TOO_LARGE", `The body is larger than ${maxBodyBytes} bytes; send less at once`, {
    limit: maxBodyBytes,
  });

/**
 * The whole body, unless it passes the cap: then no byte more is kept, and none is read at all when the client said
 * its size. `proceed` is called when it may send. Rejects when the client goes away.
 */
export async function readBody(
  request: IncomingMessage,
  proceed: () => void,
): Promise<Result<Buffer, Rejection>> {
  const encoding = request.headers["content-encoding"];
  if (encoding !== undefined && encoding !== "identity") {
    const message = `Content-Encoding ${encoding} is not understood; send the body as it is`;
    return reject("BAD_REQUEST", message, { issues: [{ path: "", message }] });
  }
  if (Number(request.headers["content-length"] ?? 0) > maxBodyBytes) return tooLarge();
  proceed();
  const chunks: Buffer[] = [];
  let size = 0;
  const { promise, resolve, reject: fail } = Promise.withResolvers<Result<Buffer, Rejection>>();
  request.on("data", (chunk: Buffer) => {
    size += chunk.byteLength;
    if (size <= maxBodyBytes) chunks.push(chunk);
    else {
      chunks.length = 0;
      resolve(tooLarge());
    }
  });
  request.on("end", () => resolve(ok(Buffer.concat(chunks))));
  request.on("error", fail);
  request.on("close", () => fail(new ClientGone()));
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
    return reject("INVALID_CHARACTER", "The body is not UTF-8", { path: "" });
  }
}
