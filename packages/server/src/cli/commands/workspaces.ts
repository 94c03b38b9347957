import { basename, resolve } from "node:path";
import type { DeletedSession, RestoredWorktree, WorktreeInfo, WorktreeList } from "@drover/core";
import { bytes } from "../../doctor/words.ts";
import type { Cli } from "../cli.ts";
import { CliError, type ExitCode, exit, RejectedError } from "../exit.ts";
import type { ServerOptions } from "../options.ts";
import { printJson, say } from "../print.ts";
import { Client } from "../server/client.ts";
import { printTable } from "../view/table.ts";
import { oneLine } from "../view/text.ts";
import { whereItIs } from "./control.ts";

/** Lists worktrees, with what deleting them would lose. */
export async function listWorkspaces(cli: Cli, options: ServerOptions): Promise<ExitCode> {
  const client = await Client.connect(cli, { server: options.server });
  const answer = await client.get<WorktreeList>("/api/workspaces");
  if (options.json) {
    printJson(cli, answer);
    return exit.done;
  }
  const { workspaces, kept } = answer;
  if (workspaces.length === 0)
    say(cli, 'No worktrees. A session gets one with --worktree: drover run demo "hello" --worktree');
  else showTable(cli, workspaces);
  if (kept.length > 0) {
    say(cli, "Kept from removed worktrees; `drover workspaces restore NAME` brings it back:");
    for (const { name, at, ref } of kept) say(cli, `  ${oneLine(name)}  ${at}  ${oneLine(ref)}`);
  }
  return exit.done;
}

function showTable(cli: Cli, workspaces: readonly WorktreeInfo[]): void {
  printTable(cli.stdout, {
    headings: ["SESSION", "BRANCH", "STATE", "AHEAD", "SIZE", "PATH"],
    rows: workspaces.map((each) => [
      each.session?.name ?? "none",
      oneLine(each.branch ?? ""),
      stateOf(each),
      each.ahead === undefined ? "" : String(each.ahead),
      bytes(each.size),
      oneLine(each.path),
    ]),
  });
  if (workspaces.some(({ orphaned }) => orphaned)) {
    say(cli, "Those without a session can be removed with `drover workspaces rm PATH`; their branches stay.");
  }
}

export interface RemoveOptions extends ServerOptions {
  readonly force?: boolean;
}

/** Removes a worktree by its name or path. */
export async function removeWorkspace(
  cli: Cli,
  { worktree, options }: { readonly worktree: string; readonly options: RemoveOptions },
): Promise<ExitCode> {
  const client = await Client.connect(cli, { server: options.server });
  const { workspaces } = await client.get<WorktreeList>("/api/workspaces");
  const { path } = pick(workspaces, worktree);
  const answer = await client
    .post<DeletedSession>("/api/workspaces/rm", { path, force: options.force ?? false })
    .catch((error: unknown) => Promise.reject(explainDirty(error, worktree)));
  const restoring = answer.kept ? ` \`drover workspaces restore ${basename(path)}\` brings it back.` : "";
  if (options.json) printJson(cli, answer);
  else say(cli, oneLine(`Removed ${path}.${whereItIs(answer, path)}${restoring}`));
  return exit.done;
}

function pick(workspaces: readonly WorktreeInfo[], wanted: string): WorktreeInfo {
  const byPath = workspaces.filter(({ path }) => path === resolve(wanted));
  const fitting =
    byPath.length > 0
      ? byPath
      : workspaces.filter(({ path, session }) => session?.name === wanted || basename(path) === wanted);
  const [found, ...others] = fitting;
  if (!found) {
    const message = `There is no worktree ${oneLine(wanted)}.`;
    throw new CliError(exit.notFound, message, "`drover workspaces` lists them.");
  }
  if (others.length === 0) return found;
  const paths = fitting.map(({ path }) => oneLine(path)).join(", ");
  throw new CliError(exit.conflict, `Several worktrees are called ${wanted}.`, `Use a path: ${paths}`);
}

function explainDirty(error: unknown, worktree: string): unknown {
  if (!(error instanceof RejectedError) || error.code !== "WORKSPACE_DIRTY") return error;
  const next = `\`drover workspaces rm ${worktree} --force\` removes it and keeps this work under a ref.`;
  return new CliError(error.exit, error.message, next);
}

export interface RestoreOptions extends ServerOptions {
  readonly repository?: string;
}

/** Makes a worktree from kept work. */
export async function restoreWorkspace(
  cli: Cli,
  { name, options }: { readonly name: string; readonly options: RestoreOptions },
): Promise<ExitCode> {
  const client = await Client.connect(cli, { server: options.server });
  const repository = options.repository === undefined ? {} : { repository: resolve(options.repository) };
  const body = { ref: name, ...repository };
  const answer = await client.post<RestoredWorktree>("/api/workspaces/restore", body);
  if (options.json) printJson(cli, answer);
  else {
    const session = answer.branch.replace(/^drover\//, "");
    say(cli, `Restored ${oneLine(answer.path)} on ${oneLine(answer.branch)}.`);
    say(cli, `To continue there: drover run AGENT --worktree --reattach --name ${oneLine(session)}`);
  }
  return exit.done;
}

function stateOf({ state, dirty = 0, merged }: WorktreeInfo): string {
  if (state !== "ready") return state;
  if (dirty > 0) return dirty === 1 ? "1 change" : `${dirty} changes`;
  return merged ? "merged" : "clean";
}
