import { relative } from "node:path";
import type { Committed, DeletedSession, Discarded, Reverted, Session } from "@drover/core";
import type { Cli } from "../cli.ts";
import { CliError, type ExitCode, exit, RejectedError } from "../exit.ts";
import type { ServerOptions } from "../options.ts";
import { printJson, say } from "../print.ts";
import { Client } from "../server/client.ts";
import { sessionPath } from "../server/paths.ts";
import { resolveSession } from "../server/session-reference.ts";
import { stateWords } from "../view/state.ts";
import { count } from "../view/words.ts";

export interface ControlRequest<O = ServerOptions> {
  readonly session: string;
  readonly options: O;
}

/** Does one thing to a session. --json prints the server's answer; otherwise `words` go to standard error. */
async function control<T>(
  cli: Cli,
  { session, options }: ControlRequest,
  act: (client: Client, session: string) => Promise<{ answer: T; words: string }>,
): Promise<ExitCode> {
  const client = await Client.connect(cli, { server: options.server });
  const { answer, words } = await act(client, await resolveSession(client, session));
  if (options.json) printJson(cli, answer);
  else say(cli, words);
  return exit.done;
}

export const interrupt = (cli: Cli, request: ControlRequest): Promise<ExitCode> =>
  control(cli, request, async (client, session) => {
    const answer = await client.post<{ turnId?: string }>(sessionPath(session, "interrupt"));
    const words = answer.turnId ? "interrupting the turn." : "no turn is running.";
    return { answer, words: `${session}: ${words}` };
  });

export const stop = (cli: Cli, request: ControlRequest): Promise<ExitCode> =>
  control(cli, request, async (client, session) => {
    const answer = await client.post<Session>(sessionPath(session, "stop"));
    const words = answer.state === "stopped" ? "stopped" : "stopping";
    return { answer, words: `${answer.name}: ${words}. \`drover resume ${answer.name}\` starts it again.` };
  });

export const resume = (cli: Cli, request: ControlRequest): Promise<ExitCode> =>
  control(cli, request, async (client, session) => {
    const answer = await client.post<Session>(sessionPath(session, "resume"));
    return { answer, words: `${answer.name}: ${stateWords(answer)}.` };
  });

export const rm = (
  cli: Cli,
  request: ControlRequest<ServerOptions & { force?: boolean }>,
): Promise<ExitCode> =>
  control(cli, request, async (client, session) => {
    const path = sessionPath(session);
    // The name is free after the deletion; the log stays readable by id until it is pruned.
    const { id, name, workspace } = await client.get<Session>(path);
    const answer = await client
      .delete<DeletedSession>(`${path}${request.options.force ? "?force=1" : ""}`)
      .catch((error: unknown) => Promise.reject(explainDirty(error, name)));
    const where = whereItIs(answer, workspace.path);
    return { answer, words: `Deleted ${name}.${where} Its log stays readable: drover logs ${id}` };
  });

/** Where the work of a removed worktree is now. */
export function whereItIs({ kept, moved = [] }: DeletedSession, top: string): string {
  const commits = kept?.commits ? ` and ${kept.commits}` : "";
  const work = kept
    ? ` Work that no branch has is in ${kept.ref}${commits}; \`git log ${kept.ref}\` shows it.`
    : "";
  const repositories = moved.map(({ from, to }) => ` Moved the repository ${relative(top, from)} to ${to}.`);
  return work + repositories.join("");
}

export interface UndoOptions extends ServerOptions {
  readonly turn?: string;
  readonly force?: boolean;
}

/** Puts files back as they were before a turn. */
export const undo = (
  cli: Cli,
  request: ControlRequest<UndoOptions> & { readonly paths: readonly string[] },
): Promise<ExitCode> =>
  control(cli, request, async (client, session) => {
    const { paths } = request;
    const { turn, force = false } = request.options;
    const body = { ...(turn ? { turnId: turn } : {}), ...(paths.length > 0 ? { paths } : {}), force };
    const answer = await client
      .post<Reverted>(sessionPath(session, "revert"), body)
      .catch((error: unknown) => Promise.reject(explainConflict(error)));
    const { files, turnId } = answer;
    return {
      answer,
      words: `Put back ${filesIn(files)}. To undo this: drover undo ${session} --turn ${turnId}`,
    };
  });

/** Puts files back as they are in the last commit. */
export const discard = (
  cli: Cli,
  request: ControlRequest & { readonly paths: readonly string[] },
): Promise<ExitCode> =>
  control(cli, request, async (client, session) => {
    const answer = await client.post<Discarded>(sessionPath(session, "discard"), { paths: request.paths });
    const { files, turnId } = answer;
    const words = `Discarded the changes to ${filesIn(files)}.`;
    return { answer, words: `${words} To undo this: drover undo ${session} --turn ${turnId}` };
  });

/** Commits what has changed. */
export const commit = (
  cli: Cli,
  request: ControlRequest<ServerOptions & { message: string }> & { readonly paths: readonly string[] },
): Promise<ExitCode> =>
  control(cli, request, async (client, session) => {
    const { paths, options } = request;
    const body = { message: options.message, ...(paths.length > 0 ? { paths } : {}) };
    const answer = await client.post<Committed>(sessionPath(session, "commit"), body);
    const { commit, branch, files } = answer;
    const words = `Committed ${count(files.length, "file")} to ${branch}: ${files.join(", ")} as ${commit.slice(0, 10)}.`;
    return { answer, words };
  });

const filesIn = (files: readonly string[]): string =>
  `${count(files.length, "file")}${files.length > 0 ? `: ${files.join(", ")}` : ""}`;

function explainConflict(error: unknown): unknown {
  if (!(error instanceof RejectedError) || error.code !== "REVERT_CONFLICT") return error;
  return new CliError(
    error.exit,
    error.message,
    "--force puts them back anyway; that can be undone as well.",
  );
}

function explainDirty(error: unknown, session: string): unknown {
  if (!(error instanceof RejectedError) || error.code !== "WORKSPACE_DIRTY") return error;
  return new CliError(
    error.exit,
    error.message,
    `\`drover rm ${session} --force\` deletes it and keeps this work.`,
  );
}
