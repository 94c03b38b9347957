import { closeSync, fstatSync, openSync, renameSync, rmSync, writeSync } from "node:fs";
import type { Writable } from "node:stream";
import type { Logger } from "./ports.ts";

export const logLevels = ["debug", "info", "warn", "error"] as const;
export type LogLevel = (typeof logLevels)[number];

type Facts = Readonly<Record<string, unknown>>;

export interface ServerLog extends Logger, Disposable {
  /** Redacts this text wherever it would be logged, until disposed. */
  redact(secret: string): Disposable;
}

/** A file that starts over before it grows past `maxSize` bytes; `keep` old ones stay, as `FILE.1` (newest) … */
export interface LogFile {
  readonly file: string;
  readonly maxSize: number;
  readonly keep: number;
}

/**
 * One JSON object per line: `time`, `level`, `message`, then the facts. Our own writer instead of a library: pino 10
 * takes 15 ms of a start that should stay below 120, and rotates in a separate thread.
 */
export function createLogger({ level, to }: { level: LogLevel; to: LogFile | Writable }): ServerLog {
  const secrets = new Set<string>();
  const sink = "file" in to ? new RotatingFile(to) : { write: (line: string) => void to.write(line) };
  const enabled = logLevels.slice(logLevels.indexOf(level));
  const logAt = (at: LogLevel) =>
    enabled.includes(at)
      ? (message: string, facts: Facts = {}) => sink.write(blot(encode(at, message, facts), secrets))
      : () => {};
  return {
    debug: logAt("debug"),
    info: logAt("info"),
    warn: logAt("warn"),
    error: logAt("error"),
    redact(secret) {
      // Shorter ones would redact ordinary words.
      const shown = secret.length < 8 ? undefined : JSON.stringify(secret).slice(1, -1);
      if (shown !== undefined) secrets.add(shown);
      return { [Symbol.dispose]: () => void (shown !== undefined && secrets.delete(shown)) };
    },
    [Symbol.dispose]() {
      if (sink instanceof RotatingFile) sink.close();
    },
  };
}

const BLOT = "[redacted]";
/** A value with such a name is always a secret. */
const secretKey =
  /^(authorization|proxy-authorization|cookie|set-cookie|x-drover-key|sec-websocket-protocol|token|password|secret)$/i;
/** Secrets recognizable by what precedes them: bearer tokens, login links, our cookie and its key. */
const secretText = /\b(Bearer\s+|login#|drover_\d+=|key\.(?=[\w-]{43}))[^\s"';,\\]+/g;

function blot(line: string, secrets: ReadonlySet<string>): string {
  let blotted = line.replace(secretText, `$1${BLOT}`);
  for (const secret of secrets) blotted = blotted.replaceAll(secret, BLOT);
  return blotted;
}

function encode(level: LogLevel, message: string, facts: Facts): string {
  const head = { time: new Date().toISOString(), level, message };
  try {
    return `${JSON.stringify({ ...head, ...facts, ...head }, plain)}\n`;
  } catch (error) {
    return `${JSON.stringify({ ...head, unloggable: String(error) })}\n`;
  }
}

/** Converts values that JSON cannot represent. */
function plain(key: string, value: unknown): unknown {
  if (secretKey.test(key)) return BLOT;
  if (typeof value === "bigint") return String(value);
  if (!(value instanceof Error)) return value;
  const { name, message, stack, cause } = value;
  const code = "code" in value ? { code: value.code } : {};
  return { name, message, ...code, stack, ...(cause === undefined ? {} : { cause }) };
}

/** Writes synchronously, so that the last line before a crash is there. Lines that cannot be written are counted. */
class RotatingFile {
  private readonly options: LogFile;
  private descriptor: number | undefined;
  private size = 0;
  private lost = 0;

  constructor(options: LogFile) {
    this.options = options;
  }

  write(line: string): void {
    try {
      const bytes = Buffer.from(line);
      if (this.descriptor !== undefined && this.size > 0 && this.size + bytes.length > this.options.maxSize) {
        this.rotate();
      }
      const descriptor = this.open();
      if (this.lost > 0) {
        const note = encode("warn", "Could not write log lines", { lost: this.lost });
        this.size += writeSync(descriptor, note);
        this.lost = 0;
      }
      this.size += writeSync(descriptor, bytes);
    } catch {
      this.lost++;
    }
  }

  close(): void {
    if (this.descriptor !== undefined) closeSync(this.descriptor);
    this.descriptor = undefined;
  }

  private open(): number {
    if (this.descriptor === undefined) {
      this.descriptor = openSync(this.options.file, "a", 0o600);
      this.size = fstatSync(this.descriptor).size;
    }
    return this.descriptor;
  }

  private rotate(): void {
    const { file, keep } = this.options;
    this.close();
    const former = (n: number) => (n === 0 ? file : `${file}.${n}`);
    rmSync(former(keep), { force: true });
    for (let n = keep - 1; n >= 0; n--) {
      try {
        renameSync(former(n), former(n + 1));
      } catch {
        // There are not that many yet.
      }
    }
  }
}
