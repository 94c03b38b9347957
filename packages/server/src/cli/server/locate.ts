import { readFile } from "node:fs/promises";
import type { Cli } from "../cli.ts";
import { CliError, exit } from "../exit.ts";
import type { Target } from "./http.ts";
import { LaunchError, launchServer } from "./launch.ts";
import { poll } from "./poll.ts";
import { readServerFile } from "./server-file.ts";

/** A server found: `version` is known when its home said so, `fixed` when a person named the address. */
export interface Located extends Target {
  readonly version?: string;
  readonly fixed: boolean;
}

/** A server says where it is once it has recovered its log. */
const otherStartMs = 30_000;

/** The server a person named, else the one that serves this home; undefined when there is neither. */
export async function findServer(cli: Cli, named?: string): Promise<Located | undefined> {
  const url = named ?? cli.settings.url;
  if (url !== undefined) return { url: checkUrl(url), ...(await token(cli)), fixed: true };
  const file = await readServerFile(cli.settings.home.serverFile);
  if (file.state !== "running") return undefined;
  const { server } = file;
  return { url: server.url, version: server.version, ...(await token(cli)), fixed: false };
}

/** As `findServer`, and starts one where there is none. Throws when it may not or cannot. */
export async function findOrStartServer(cli: Cli, named?: string): Promise<Located> {
  const found = await findServer(cli, named);
  if (found) return found;
  if (!cli.settings.autostart) throw noServer(cli);
  try {
    await launchServer(cli);
  } catch (error) {
    // Another command may have been faster: its server refuses ours and is the one we want.
    if (!(error instanceof LaunchError) || error.code !== exit.noServer) throw error;
    const other = await poll(() => findServer(cli), otherStartMs);
    if (other) return other;
    throw error;
  }
  const started = await findServer(cli);
  if (!started) throw noServer(cli);
  return started;
}

export function noServer(cli: Cli): CliError {
  return new CliError(
    exit.noServer,
    `No server is running on ${cli.settings.home.directory}.`,
    "Start one with `drover serve`, or name one with --server URL.",
  );
}

async function token(cli: Cli): Promise<{ token?: string }> {
  const { settings } = cli;
  const text = settings.token ?? (await readFile(settings.home.token, "utf8").catch(() => ""));
  return text.trim() ? { token: text.trim() } : {};
}

function checkUrl(url: string): string {
  const parsed = URL.parse(url);
  if (parsed?.protocol === "http:" || parsed?.protocol === "https:") return url;
  throw new CliError(
    exit.usage,
    `"${url}" is not the address of a server.`,
    "It looks like http://127.0.0.1:4242.",
  );
}
