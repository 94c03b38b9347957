import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { chmod, readFile, rename, rm, writeFile } from "node:fs/promises";
import type { Home } from "./home.ts";
import type { ProcessIdentity } from "./process/identity.ts";

/** The contents of `server.json`: the process that serves a home. */
export interface ServerFile extends ProcessIdentity {
  readonly url: string;
  readonly version: string;
  readonly startedAt: string;
  /** The options it was started with, for a restart after it was killed. */
  readonly options?: StartOptions;
}

export interface StartOptions {
  readonly port?: number;
  /** An absolute path. */
  readonly config?: string;
  readonly stopAgents?: boolean;
}

/** The server of this home, as far as it has identified itself. */
export function readServerFile(home: Home): ServerFile | undefined {
  try {
    return JSON.parse(readFileSync(home.serverFile, "utf8")) as ServerFile;
  } catch {
    return undefined;
  }
}

/** Written to a temporary file and renamed: a reader finds all of it or nothing. */
export async function writeServerFile(home: Home, file: ServerFile): Promise<void> {
  const draft = `${home.serverFile}.new`;
  await writeFile(draft, `${JSON.stringify(file)}\n`, { mode: 0o600 });
  await rename(draft, home.serverFile);
}

export function removeServerFile(home: Home): void {
  rmSync(home.serverFile, { force: true });
}

/** The install's secret, created at first start and readable by its owner only. */
export async function ensureToken(home: Home): Promise<string> {
  const known = await readFile(home.token, "utf8").catch((error: NodeJS.ErrnoException) => {
    // An existing token that cannot be read must not be replaced: clients have it.
    if (error.code === "ENOENT") return "";
    // An error after opening, as for a directory, names no file.
    if (error.path === undefined) error.message += ` '${home.token}'`;
    throw error;
  });
  if (known.trim() !== "") {
    await chmod(home.token, 0o600);
    return known.trim();
  }
  const token = randomBytes(32).toString("base64url");
  await writeFile(home.token, `${token}\n`, { mode: 0o600 });
  return token;
}

/** `drover down --stop-agents` leaves a file for the server it ends. It stays until all agents are stopped. */
export const isAskedToStopAgents = (home: Home): boolean => existsSync(home.stopAgents);

export const agentsAreStopped = (home: Home): Promise<void> => rm(home.stopAgents, { force: true });

/** Resolves at the first TERM or INT. From then on `onSecond` is called for another one. */
export function untilSignal(onSecond: () => void): Promise<void> {
  return new Promise((resolve) => {
    let seen = 0;
    const onSignal = () => (++seen === 1 ? resolve() : onSecond());
    process.on("SIGTERM", onSignal);
    process.on("SIGINT", onSignal);
  });
}

/** A graceful shutdown takes at most this long; the next server resumes what was in progress. */
const endTimeoutMs = 4_500;

export function endInTime(home: Home): void {
  setTimeout(() => {
    removeServerFile(home);
    process.exit(0);
  }, endTimeoutMs).unref();
}

/** Why the machine prevents a server from starting, as a message; undefined for a bug. */
export function cannotServe(
  { code, syscall, message, address }: NodeJS.ErrnoException & { readonly address?: string },
  { bind, port, home }: { readonly bind: string; readonly port: number; readonly home: Home },
): { message: string; code: number } | undefined {
  if (code === "EADDRINUSE") {
    return {
      message: `Port ${port} is in use on ${address ?? bind}. End the program that uses it, or choose another with --port.`,
      code: 1,
    };
  }
  if (syscall === "listen" || syscall === "bind" || syscall === "getaddrinfo") {
    const where = `${bind} (server.bind), port ${port}`;
    return { message: `Cannot listen on ${where}: ${message}. Choose another.`, code: 2 };
  }
  if (syscall === undefined) return undefined;
  return {
    message: `The home ${home.directory} cannot be used: ${message}. Run \`drover doctor\` for details.`,
    code: 2,
  };
}
