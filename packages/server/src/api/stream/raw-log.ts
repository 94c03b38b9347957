import type { ServerResponse } from "node:http";
import type { RawLog } from "../../ports.ts";
import { pour } from "../http/pour.ts";

export async function sendRawLog(
  response: ServerResponse,
  log: RawLog,
  { offset, stallMs }: { readonly offset: number; readonly stallMs: number },
): Promise<void> {
  response.writeHead(200, {
    "Content-Type": "application/octet-stream",
    "Content-Length": Math.max(0, log.bytes - offset),
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    "X-Log-Bytes": log.bytes,
  });
  if (response.req.method === "HEAD") return void response.end();
  await pour(response, log.read(offset), stallMs);
}
