import type { Session } from "@drover/core";
import type { Cli } from "../cli.ts";
import { CliError, type ExitCode, exit, RejectedError } from "../exit.ts";
import type { ServerOptions } from "../options.ts";
import { printJson, say } from "../print.ts";
import { Client } from "../server/client.ts";
import { sessionPath } from "../server/paths.ts";

export interface ControlRequest<O = ServerOptions> {
  readonly session: string;
  readonly options: O;
}

/** Does one thing to a session: --json prints the answer, words go to the person. */
async function control<T>(
  cli: Cli,
  { options }: ControlRequest,
  act: (client: Client) => Promise<{ answer: T; words: string }>,
): Promise<ExitCode> {
  const client = await Client.connect(cli, { server: options.server });
  const { answer, words } = await act(client);
  if (options.json) printJson(cli, answer);
  else say(cli, words);
  return exit.done;
}

export const interrupt = (cli: Cli, request: ControlRequest): Promise<ExitCode> =>
  control(cli, request, async (client) => {
    const path = sessionPath(request.session, "interrupt");
    const answer = await client.post<{ turnId?: string }>(path);
    const words = answer.turnId ? "its turn is being ended." : "no turn was running.";
    return { answer, words: `${request.session}: ${words}` };
  });

export const stop = (cli: Cli, request: ControlRequest): Promise<ExitCode> =>
  control(cli, request, async (client) => {
    const answer = await client.post<Session>(sessionPath(request.session, "stop"));
    const words = answer.state === "stopped" ? "stopped" : "stopping";
    return { answer, words: `${answer.name}: ${words}. \`drover resume ${answer.name}\` starts it again.` };
  });

export const resume = (cli: Cli, request: ControlRequest): Promise<ExitCode> =>
  control(cli, request, async (client) => {
    const answer = await client.post<Session>(sessionPath(request.session, "resume"));
    return { answer, words: `${answer.name}: ${answer.state}.` };
  });

export const rm = (
  cli: Cli,
  request: ControlRequest<ServerOptions & { force?: boolean }>,
): Promise<ExitCode> =>
  control(cli, request, async (client) => {
    const path = sessionPath(request.session);
    // By name it is gone afterwards; by id its log stays readable until pruned.
    const { id } = await client.get<Session>(path);
    const answer = await client
      .delete<{ deleted: true }>(`${path}${request.options.force ? "?force=1" : ""}`)
      .catch((error: unknown) => Promise.reject(explainDirty(error, request.session)));
    return { answer, words: `${request.session} is deleted. Its log stays: drover logs ${id}` };
  });

function explainDirty(error: unknown, session: string): unknown {
  if (!(error instanceof RejectedError) || error.code !== "WORKSPACE_DIRTY") return error;
  return new CliError(
    error.exit,
    error.message,
    `\`drover rm ${session} --force\` deletes it all the same; the branch stays.`,
  );
}
