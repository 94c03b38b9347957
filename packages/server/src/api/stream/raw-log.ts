import { createReadStream } from "node:fs";
import type { ServerResponse } from "node:http";
import { pour } from "../http/pour.ts";

interface LogFile {
  readonly path: string;
  /** Readable now; the agent may be writing more. */
  readonly bytes: number;
}

/** Sends the files one after the other as if they were one, from an offset into the whole. */
export async function sendRawLog(
  response: ServerResponse,
  files: readonly LogFile[],
  { offset, stallMs }: { readonly offset: number; readonly stallMs: number },
): Promise<void> {
  const total = files.reduce((sum, file) => sum + file.bytes, 0);
  response.writeHead(200, {
    "Content-Type": "application/octet-stream",
    "Content-Length": Math.max(0, total - offset),
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    "X-Log-Bytes": total,
  });
  if (response.req.method === "HEAD") return void response.end();
  await pour(response, bytesOf(files, offset), stallMs);
}

async function* bytesOf(files: readonly LogFile[], offset: number): AsyncGenerator<Buffer> {
  let skip = offset;
  for (const { path, bytes } of files) {
    if (skip < bytes) yield* createReadStream(path, { start: skip, end: bytes - 1 });
    skip = Math.max(0, skip - bytes);
  }
}
