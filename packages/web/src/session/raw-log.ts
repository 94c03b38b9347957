import { err, ok, type Result } from "@drover/core";
import { ask } from "../transport/http.ts";
import { offline, type Problem } from "../transport/wire.ts";

export type LogStream = "stdout" | "stderr";

/** Whole lines of a raw log: bytes `from`…`to` of `total`. */
export interface LogPage {
  readonly from: number;
  readonly to: number;
  readonly total: number;
  readonly text: string;
}

export interface LogSource {
  readonly sessionId: string;
  readonly stream: LogStream;
}

const pageBytes = 64 * 1024;
const newline = 10;

/** The latest lines. */
export async function readEnd(source: LogSource): Promise<Result<LogPage, Problem>> {
  const total = await sizeOf(source);
  return total.ok ? readBefore(source, total.value) : total;
}

/** The lines that end at a byte. */
export async function readBefore(source: LogSource, to: number): Promise<Result<LogPage, Problem>> {
  const from = Math.max(0, to - pageBytes);
  const read = await readBytes(source, from, to - from);
  if (!read.ok) return read;
  const { bytes, total } = read.value;
  // Cut where a line begins, unless one line is the whole page.
  const cut = from === 0 ? 0 : bytes.indexOf(newline) + 1;
  return ok(page({ from: from + cut, total, bytes: bytes.subarray(cut) }));
}

/** The lines that begin at a byte. */
export async function readAfter(source: LogSource, from: number): Promise<Result<LogPage, Problem>> {
  const read = await readBytes(source, from, pageBytes);
  if (!read.ok) return read;
  const { bytes, total } = read.value;
  const isEnd = from + bytes.length >= total;
  const cut = isEnd ? bytes.length : bytes.lastIndexOf(newline) + 1 || bytes.length;
  return ok(page({ from, total, bytes: bytes.subarray(0, cut) }));
}

function page({ from, total, bytes }: { from: number; total: number; bytes: Uint8Array }): LogPage {
  return { from, to: from + bytes.length, total, text: new TextDecoder().decode(bytes) };
}

const address = ({ sessionId, stream }: LogSource, offset: number) =>
  `/api/sessions/${sessionId}/log?stream=${stream}&offset=${offset}`;

/** The whole log, to be saved. */
export const logAddress = (source: LogSource) => address(source, 0);

async function sizeOf(source: LogSource): Promise<Result<number, Problem>> {
  const asked = await ask(address(source, 0), { method: "HEAD" });
  return asked.ok ? ok(totalOf(asked.value)) : err(withMessage(asked.error));
}

/** Reads at most `wanted` bytes. The server sends the log to its end, so the request is aborted after that. */
async function readBytes(
  source: LogSource,
  from: number,
  wanted: number,
): Promise<Result<{ bytes: Uint8Array; total: number }, Problem>> {
  const abort = new AbortController();
  try {
    const asked = await ask(address(source, from), { signal: abort.signal });
    if (!asked.ok) return err(withMessage(asked.error));
    const response = asked.value;
    const bytes = new Uint8Array(wanted);
    let length = 0;
    const reader = response.body?.getReader();
    for (let step = await reader?.read(); step?.value && length < wanted; step = await reader?.read()) {
      const taken = step.value.subarray(0, wanted - length);
      bytes.set(taken, length);
      length += taken.length;
      if (length === wanted) break;
    }
    await reader?.cancel();
    return ok({ bytes: bytes.subarray(0, length), total: totalOf(response) });
  } catch {
    return err(offline);
  } finally {
    abort.abort();
  }
}

const totalOf = (response: Response) => Number(response.headers.get("X-Log-Bytes") ?? 0);

/** A response to HEAD has no message. */
const withMessage = (problem: Problem): Problem =>
  problem.code === "HTTP_404" ? { ...problem, message: "This session no longer has a raw log." } : problem;
