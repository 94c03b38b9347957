import type { Interaction } from "@drover/core";
import type { Cli } from "../cli.ts";
import { CliError, type ExitCode, exit } from "../exit.ts";
import type { ServerOptions } from "../options.ts";
import { printJson, say } from "../print.ts";
import { Client } from "../server/client.ts";
import { sessionPath, withQuery } from "../server/paths.ts";
import { style } from "../terminal/styled.ts";
import { askedInFull, askedRows } from "../view/asked.ts";
import { age } from "../view/words.ts";

export interface InteractionList {
  readonly interactions: readonly Interaction[];
}

/** Requests without an answer in time. */
export async function listExpired(client: Client): Promise<readonly Interaction[]> {
  const path = withQuery("/api/interactions", { state: "expired" });
  return (await client.get<InteractionList>(path)).interactions;
}

export function printExpired(cli: Cli, expired: readonly Interaction[]): void {
  for (const interaction of expired) {
    const { id, sessionName, kind, at = interaction.createdAt } = interaction;
    cli.stdout.line(style.dim(`${id}  ${sessionName}  ${kind}  expired ${age(at)} ago`));
    cli.stdout.lines(askedRows(interaction, cli.stdout.room));
  }
  say(cli, "Expired: drover permit ask-again ID · drover permit dismiss ID");
}

interface FollowUpRequest {
  readonly id: string;
  readonly options: ServerOptions;
}

export const askAgain = (cli: Cli, request: FollowUpRequest): Promise<ExitCode> =>
  followUp(cli, request, "ask-again");

export const dismiss = (cli: Cli, request: FollowUpRequest): Promise<ExitCode> =>
  followUp(cli, request, "dismiss");

const outcomes = { "ask-again": "asked again", dismiss: "dismissed" } as const;

async function followUp(
  cli: Cli,
  { id, options }: FollowUpRequest,
  action: keyof typeof outcomes,
): Promise<ExitCode> {
  const client = await Client.connect(cli, { server: options.server });
  const expired = await listExpired(client);
  const found = expired.find((one) => one.id === id) ?? expired.findLast((one) => one.toolCallId === id);
  if (!found) {
    throw new CliError(
      exit.notFound,
      `No expired request has the id ${id}.`,
      "`drover permit ls` lists expired requests.",
    );
  }
  const path = sessionPath(found.sessionId, action);
  const closed = await client.post<Interaction>(path, { toolCallId: found.id });
  if (options.json) printJson(cli, closed);
  else say(cli, `${closed.sessionName}: ${outcomes[action]} — ${askedInFull(closed)}`);
  return exit.done;
}
