import type { Item } from "@drover/core";
import type { Cli } from "../cli.ts";
import { CliError, type ExitCode, exit } from "../exit.ts";
import { printJson } from "../print.ts";
import { Client } from "../server/client.ts";
import { sessionPath, withQuery } from "../server/paths.ts";
import { resolveSession } from "../server/session-reference.ts";
import { readSession } from "../session/frames.ts";
import { awayReporter } from "../view/away.ts";
import { Screen } from "../view/screen.ts";
import { Transcript } from "../view/transcript.ts";

export interface LogsOptions {
  readonly server?: string;
  readonly json?: boolean;
  readonly follow?: boolean;
  readonly raw?: boolean;
  readonly stream?: "stdout" | "stderr";
}

interface LogsRequest {
  readonly session: string;
  readonly options: LogsOptions;
}

interface ItemPage {
  readonly items: Item[];
  readonly before?: number;
}

export async function logs(cli: Cli, { session: reference, options }: LogsRequest): Promise<ExitCode> {
  if (options.raw && options.json) {
    throw new CliError(exit.usage, "--raw and --json cannot be combined.");
  }
  const client = await Client.connect(cli, { server: options.server, onAway: awayReporter(cli) });
  const session = await resolveSession(client, reference);
  if (options.raw || options.stream) return rawLog(cli, client, { session, options });
  if (options.follow) return followLog(cli, client, { session, options });
  const page = await allItems(client, session);
  if (options.json) printJson(cli, page);
  else {
    using screen = new Screen(cli);
    const transcript = new Transcript(screen, { messages: true });
    for (const item of page.items) transcript.item(item);
    transcript.endText();
  }
  return exit.done;
}

/** All items, oldest first. The server returns the newest page first. */
async function allItems(client: Client, session: string): Promise<{ items: Item[] }> {
  const pages: Item[][] = [];
  let before: number | undefined;
  do {
    const path = withQuery(sessionPath(session, "messages"), { before, limit: 200 });
    const page = await client.get<ItemPage>(path);
    pages.unshift(page.items);
    before = page.before;
  } while (before !== undefined);
  return { items: pages.flat() };
}

/** Prints the log from the beginning, then new events until Ctrl-C. */
async function followLog(cli: Cli, client: Client, { session, options }: LogsRequest): Promise<ExitCode> {
  const stopping = new AbortController();
  using _ = cli.onInterrupt(() => stopping.abort());
  using screen = new Screen(cli);
  const transcript = new Transcript(screen, { messages: true });
  const source = { sessionId: session, after: 0, signal: stopping.signal };
  for await (const { event, data } of readSession(cli, client, source)) {
    if (options.json) cli.stdout.frame(data);
    else if (event.type !== "snapshot") transcript.event(event);
  }
  transcript.endText();
  return exit.interrupted;
}

/** Prints the agent's output byte for byte. When following, each event of the session triggers another read. */
async function rawLog(cli: Cli, client: Client, { session, options }: LogsRequest): Promise<ExitCode> {
  const stopping = new AbortController();
  using _ = cli.onInterrupt(() => stopping.abort());
  let offset = 0;
  const readMore = async () => {
    const path = withQuery(sessionPath(session, "log"), { stream: options.stream, offset });
    const response = await client.persist(stopping.signal, true, () => client.open({ method: "GET", path }));
    response.on("data", (chunk: Buffer) => {
      offset += chunk.length;
    });
    await cli.stdout.copy(response);
  };
  await readMore();
  if (!options.follow) return exit.done;
  let reading: Promise<void> | undefined;
  let isBehind = false;
  const catchUp = async () => {
    while (isBehind && !stopping.signal.aborted) {
      isBehind = false;
      await readMore();
    }
    reading = undefined;
  };
  for await (const _event of readSession(cli, client, { sessionId: session, signal: stopping.signal })) {
    isBehind = true;
    reading ??= catchUp();
  }
  await reading;
  return exit.interrupted;
}
