import type { Interaction, Session } from "@drover/core";
import type { Cli } from "../cli.ts";
import { type ExitCode, exit } from "../exit.ts";
import type { ServerOptions } from "../options.ts";
import { printJson } from "../print.ts";
import { accountLabels } from "../server/account-reference.ts";
import { Client } from "../server/client.ts";
import { sessionPath, withQuery } from "../server/paths.ts";
import { resolveSession } from "../server/session-reference.ts";
import { markSeen } from "../session/seen.ts";
import { style } from "../terminal/styled.ts";
import { abilities, ownMode, unaskedMode } from "../view/abilities.ts";
import { askedRows, settlingCommand, timeLeft } from "../view/asked.ts";
import { describeChanges, reviewWords } from "../view/review.ts";
import { stateWords } from "../view/state.ts";
import { oneLine } from "../view/text.ts";
import { age } from "../view/words.ts";

export async function show(
  cli: Cli,
  { session: name, options }: { session: string; options: ServerOptions },
): Promise<ExitCode> {
  const client = await Client.connect(cli, { server: options.server });
  const session = await client.get<Session>(sessionPath(await resolveSession(client, name)));
  if (options.json) {
    printJson(cli, session);
    return exit.done;
  }
  const labels = await accountLabels(client, [session]);
  const facts = describe(session, labels?.get(session.account ?? ""));
  const width = Math.max(...facts.map(([label]) => label.length));
  cli.stdout.lines(facts.map(([label, value]) => [style.dim(label.padEnd(width)), `  ${value}`]));
  const query = { state: "open", sessionId: session.id };
  const { interactions } = await client.get<{ interactions: Interaction[] }>(
    withQuery("/api/interactions", query),
  );
  for (const interaction of interactions) {
    const left = timeLeft(interaction);
    const heading = style.yellow(`asks${left === undefined ? "" : ` (${left})`}:`);
    cli.stdout.lines(["", heading, ...askedRows(interaction, cli.stdout.room)]);
    cli.stdout.line(`  Answer with: ${settlingCommand(interaction, options.server)}`);
  }
  if (session.unread) await markSeen(client, session.id, session.lastSeq);
  return exit.done;
}

function describe(session: Session, account = session.account): [string, string][] {
  const { workspace, usage, connection, turn, reason } = session;
  const facts: [string, string | undefined][] = [
    ["name", session.name],
    ["id", session.id],
    ["title", oneLine(session.title) || undefined],
    ["agent", `${session.agent} (${session.driver}): ${abilities(session).join(", ")}`],
    ["model", session.model ? oneLine(session.model) : undefined],
    ["account", account && `${account}${session.isAccountFixed ? ", chosen by you" : ""}`],
    [
      "state",
      `${stateWords(session)}${session.unread ? ", unread" : ""}${session.archived ? ", archived" : ""}`,
    ],
    ["reason", reason ? oneLine(reason.message) : undefined],
    ["until", reason?.until],
    ["directory", session.cwd],
    ["workspace", workspace.mode === "local" ? undefined : `${workspace.mode} at ${workspace.path}`],
    ["review", describeReview(session)],
    ["mode", unaskedMode(session) ?? session.permissionMode],
    ["own mode", session.agentMode && ownMode(session.agentMode)],
    ["turn", turn ? `running for ${age(turn.startedAt)}` : undefined],
    ["queue", session.queued > 0 ? `${session.queued}${session.queuePaused ? ", paused" : ""}` : undefined],
    ["process", connection.pid ? `${connection.pid} (${connection.status})` : connection.status],
    ["last error", connection.lastError ? oneLine(connection.lastError) : undefined],
    ["tokens", usage.inputTokens + usage.outputTokens > 0 ? describeUsage(usage) : undefined],
    ["last active", `${age(session.updatedAt)} ago`],
    ["created", session.createdAt],
  ];
  return facts.filter((fact): fact is [string, string] => fact[1] !== undefined);
}

function describeReview({ review }: Session): string | undefined {
  if (review === undefined || review.state === "none") return undefined;
  return review.files === 0
    ? reviewWords(review.state)
    : `${reviewWords(review.state)}: ${describeChanges(review)}`;
}

function describeUsage({ inputTokens, outputTokens, costUsd }: Session["usage"]): string {
  const cost = costUsd === undefined ? "" : `, $${costUsd.toFixed(2)}`;
  return `${inputTokens} in, ${outputTokens} out${cost}`;
}
