import type { PullRequested } from "@drover/core";
import type { Cli } from "../cli.ts";
import { type ExitCode, exit } from "../exit.ts";
import type { ServerOptions } from "../options.ts";
import { printJson, say } from "../print.ts";
import { Client } from "../server/client.ts";
import { sessionPath } from "../server/paths.ts";
import { resolveSession } from "../server/session-reference.ts";
import { oneLine } from "../view/text.ts";

export interface PullOptions extends ServerOptions {
  readonly title?: string;
  readonly body?: string;
  readonly remote?: string;
}

/** Pushes a session's branch and opens a pull request. Its address, or where to open it, goes to standard output. */
export async function pr(
  cli: Cli,
  { session: reference, options }: { readonly session: string; readonly options: PullOptions },
): Promise<ExitCode> {
  const client = await Client.connect(cli, { server: options.server });
  const session = await resolveSession(client, reference);
  const { title, body, remote } = options;
  const pushed = await client.post<PullRequested>(sessionPath(session, "pull-request"), {
    title,
    body,
    remote,
  });
  if (options.json) {
    printJson(cli, pushed);
    return exit.done;
  }
  const { branch, commit, isOpened, url, problem } = pushed;
  say(cli, `Pushed ${branch} to ${pushed.remote} as ${commit.slice(0, 10)}.`);
  if (problem !== undefined) say(cli, oneLine(problem));
  if (url !== undefined) {
    say(cli, isOpened ? "The pull request:" : "Open a pull request here:");
    cli.stdout.line(url);
  }
  return exit.done;
}
