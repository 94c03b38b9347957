import { readFile } from "node:fs/promises";
import type { ProcessIdentity } from "../../process/identity.ts";
import type { Cli } from "../cli.ts";
import { CliError, exit } from "../exit.ts";
import type { Target } from "./http.ts";
import { LaunchError, restartServer } from "./launch.ts";
import { poll } from "./poll.ts";
import { readServerFile } from "./server-file.ts";

/** Where a server is. `version` is known for this home's own server; `fixed` means a person named the address. */
export interface Located extends Target {
  readonly version?: string;
  readonly fixed: boolean;
  /** The process that serves this home, if this is its server. Only that process gets the home's token. */
  readonly owner?: ProcessIdentity;
}

/** A server writes its address only after it has recovered its log. */
const otherStartMs = 30_000;

/**
 * The server a person named, otherwise the one that serves this home; undefined if there is neither. Only this home's
 * server gets the home's token; others need one set explicitly.
 */
export async function findServer(cli: Cli, named?: string): Promise<Located | undefined> {
  const { home, url, token } = cli.settings;
  const wanted = checkUrl(named ?? url);
  const file = await readServerFile(home.serverFile);
  const fixed = wanted !== undefined;
  if (file.state === "running" && (!fixed || wanted === URL.parse(file.server.url)?.origin)) {
    const { url, version, ...owner } = file.server;
    return { url, version, owner, fixed, ...(await ownToken(cli)) };
  }
  return wanted === undefined ? undefined : { url: wanted, fixed, ...(token ? { token } : {}) };
}

/** Throws if this is another server and there is no token for it. */
export async function checkToken(cli: Cli, { url, owner, token }: Located): Promise<void> {
  if (owner || token) return;
  const file = await readServerFile(cli.settings.home.serverFile);
  const own = file.state === "running" ? ` This home's own server is ${file.server.url}.` : "";
  throw new CliError(
    exit.notAllowed,
    `There is no token for ${url}: ${cli.settings.home.token} is only sent to the server of this home.`,
    `Set DROVER_TOKEN to that server's token.${own}`,
  );
}

/** Like `findServer`, but starts a server if there is none. Throws if it may not or cannot. */
export async function findOrStartServer(cli: Cli, named?: string): Promise<Located> {
  const found = await findServer(cli, named);
  if (found) return found;
  if (!cli.settings.autostart) throw noServer(cli);
  try {
    await restartServer(cli);
  } catch (error) {
    // Another command may have started a server first. Ours is refused then, and theirs is the one to use.
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
    "Start one with `drover serve`, or use another with --server URL.",
  );
}

async function ownToken({ settings }: Cli): Promise<{ token?: string }> {
  const text = settings.token ?? (await readFile(settings.home.token, "utf8").catch(() => ""));
  return text.trim() ? { token: text.trim() } : {};
}

/** The origin of an address: scheme, host and port. */
function checkUrl(url: string | undefined): string | undefined {
  if (url === undefined) return undefined;
  const parsed = URL.parse(url);
  if (parsed?.protocol === "http:" || parsed?.protocol === "https:") return parsed.origin;
  throw new CliError(
    exit.usage,
    `"${url}" is not a server address.`,
    "An address looks like http://127.0.0.1:4242.",
  );
}
