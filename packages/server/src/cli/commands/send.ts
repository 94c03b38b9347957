import { randomUUID } from "node:crypto";
import type { Receipt, Session } from "@drover/core";
import { readAttachments } from "../attachments.ts";
import type { Cli } from "../cli.ts";
import { type ExitCode, exit } from "../exit.ts";
import { printJson, say } from "../print.ts";
import { readPrompt } from "../prompt.ts";
import { Client } from "../server/client.ts";
import { sessionPath } from "../server/paths.ts";
import { resolveSession } from "../server/session-reference.ts";
import { watchTurn } from "../session/turn.ts";
import { awayReporter } from "../view/away.ts";
import { pausedLine } from "../view/words.ts";

export interface SendOptions {
  readonly server?: string;
  readonly json?: boolean;
  readonly wait?: boolean;
  readonly steer?: boolean;
  readonly attach?: readonly string[];
  readonly timeout?: number;
}

export interface SendRequest {
  readonly session: string;
  readonly words: readonly string[];
  readonly options: SendOptions;
}

export async function send(cli: Cli, { session: name, words, options }: SendRequest): Promise<ExitCode> {
  const content = await readPrompt(cli, words, `drover send ${name} "now the docs"`);
  const attachments = await readAttachments(cli, options.attach);
  const client = await Client.connect(cli, { server: options.server, onAway: awayReporter(cli) });
  const receipt = await client.post<Receipt>(sessionPath(await resolveSession(client, name), "messages"), {
    content,
    clientMessageId: randomUUID(),
    ...(options.steer ? { disposition: "steer" } : {}),
    ...attachments,
  });
  if (!options.wait && options.json) {
    printJson(cli, receipt);
    return exit.done;
  }
  const session = await client.get<Session>(sessionPath(receipt.sessionId));
  if (!options.wait || receipt.applied === "queued") say(cli, receiptWords(session.name, receipt));
  if (receipt.applied === "queued" && session.queuePaused && session.queued > 0)
    say(cli, pausedLine(session));
  if (!options.wait) return exit.done;
  return watchTurn(cli, { client, session, receipt, options: { ...options, wait: true } });
}

function receiptWords(name: string, { applied, queuePosition, degradedBecause }: Receipt): string {
  const reasons = {
    unsupported: "this agent does not accept messages during a turn",
    idle: "no turn was running",
    "open-interaction": "a question is open",
  };
  const why = degradedBecause ? ` (${reasons[degradedBecause]})` : "";
  if (applied === "queued") return `${name}: queued at position ${queuePosition}${why}.`;
  return applied === "steered" ? `${name}: sent to the running turn.` : `${name}: started a turn${why}.`;
}
