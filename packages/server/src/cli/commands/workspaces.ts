import type { WorktreeInfo } from "@drover/core";
import { bytes } from "../../doctor/words.ts";
import type { Cli } from "../cli.ts";
import { type ExitCode, exit } from "../exit.ts";
import type { ServerOptions } from "../options.ts";
import { printJson, say } from "../print.ts";
import { Client } from "../server/client.ts";
import { printTable } from "../view/table.ts";
import { oneLine } from "../view/text.ts";

/** Lists worktrees, with what deleting them would lose. */
export async function listWorkspaces(cli: Cli, options: ServerOptions): Promise<ExitCode> {
  const client = await Client.connect(cli, { server: options.server });
  const answer = await client.get<{ workspaces: readonly WorktreeInfo[] }>("/api/workspaces");
  if (options.json) {
    printJson(cli, answer);
    return exit.done;
  }
  const { workspaces } = answer;
  if (workspaces.length === 0) {
    say(cli, 'No worktrees. A session gets one with --worktree: drover run demo "hello" --worktree');
    return exit.done;
  }
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
    say(cli, "Those without a session can be removed with `git worktree remove PATH`; their branches stay.");
  }
  return exit.done;
}

function stateOf({ state, dirty = 0, merged }: WorktreeInfo): string {
  if (state !== "ready") return state;
  if (dirty > 0) return dirty === 1 ? "1 change" : `${dirty} changes`;
  return merged ? "merged" : "clean";
}
