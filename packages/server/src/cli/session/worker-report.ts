import { type Interaction, isSignalQuestion, type Session } from "@drover/core";
import type { Cli } from "../cli.ts";
import { type ExitCode, exit } from "../exit.ts";
import { say } from "../print.ts";
import type { Client } from "../server/client.ts";
import { withQuery } from "../server/paths.ts";
import { style } from "../terminal/styled.ts";
import { askedRows } from "../view/asked.ts";
import { textOf } from "../view/worker.ts";
import { exitOf } from "./worker-end.ts";

/** Prints what a worker that has nothing more to do has left, or what it asks. */
export async function reportResult(cli: Cli, client: Client, worker: Session): Promise<ExitCode> {
  const code = exitOf(worker);
  if (code === exit.needsPerson) await printQuestions(cli, client, worker);
  else if (code === exit.failed)
    say(cli, worker.reason?.message ?? worker.lastTurn?.message ?? `${worker.name} was stopped.`);
  else if (worker.worker?.result !== undefined) cli.stdout.lines(textOf(worker.worker.result).split("\n"));
  return code;
}

export async function openQuestions(client: Client, { id }: Session): Promise<readonly Interaction[]> {
  const path = withQuery("/api/interactions", { state: "open", sessionId: id });
  return (await client.get<{ interactions: readonly Interaction[] }>(path)).interactions;
}

export async function printQuestions(cli: Cli, client: Client, worker: Session): Promise<void> {
  for (const interaction of await openQuestions(client, worker)) {
    cli.stdout.lines(["", style.yellow("asks:"), ...askedRows(interaction, cli.stdout.room)]);
    const command = isSignalQuestion(interaction) ? `drover worker answer ${worker.name} …` : "drover permit";
    cli.stdout.line(`  Answer with: ${command}`);
  }
}
