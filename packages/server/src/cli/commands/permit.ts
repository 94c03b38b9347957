import { type Answers, exactInput, grantWords, type Interaction, type Scope } from "@drover/core";
import type { Settlement } from "../ask/person.ts";
import { settle } from "../ask/settle.ts";
import type { Cli } from "../cli.ts";
import { CliError, type ExitCode, exit } from "../exit.ts";
import type { ServerOptions } from "../options.ts";
import { printJson, say } from "../print.ts";
import { Client } from "../server/client.ts";
import { withQuery } from "../server/paths.ts";
import { style } from "../terminal/styled.ts";
import { approvalOptions, askedInFull, askedRows, timeLeft } from "../view/asked.ts";
import { age } from "../view/words.ts";
import { type InteractionList, listExpired, printExpired } from "./expired.ts";

export async function permitLs(cli: Cli, options: ServerOptions): Promise<ExitCode> {
  const client = await Client.connect(cli, { server: options.server });
  const answer = await client.get<InteractionList>("/api/interactions");
  const expired = await listExpired(client);
  if (options.json) {
    printJson(cli, { ...answer, expired });
    return exit.done;
  }
  if (answer.interactions.length === 0) say(cli, "You're all caught up.");
  else printOpen(cli, answer.interactions);
  if (expired.length > 0) printExpired(cli, expired);
  return exit.done;
}

function printOpen(cli: Cli, interactions: readonly Interaction[]): void {
  for (const interaction of interactions) printOne(cli, interaction);
  say(cli, "drover permit allow ID · drover permit deny ID --reason … · drover answer ID KEY=VALUE");
}

function printOne(cli: Cli, interaction: Interaction): void {
  const { id, sessionName, kind, createdAt, revision = 1 } = interaction;
  const left = timeLeft(interaction);
  const times = [`${age(createdAt)} ago`, ...(left === undefined ? [] : [left])].join(", ");
  cli.stdout.line(style.bold(`${id}  ${sessionName}  ${kind}  ${times}`));
  cli.stdout.lines(askedRows(interaction, cli.stdout.room));
  const reason = unseenReason(interaction);
  const next = interaction.inputOmitted
    ? `See it with \`drover permit show ${id}\`.`
    : `To approve it, add --revision ${revision}.`;
  if (reason) cli.stdout.line(style.yellow(`  ${reason} ${next}`));
  if (kind === "approval") cli.stdout.line(style.dim(`  Options: ${approvalOptions(interaction)}`));
}

export type SettleOptions = ServerOptions & {
  /** The revision of the request that the person has seen. */
  readonly revision?: number;
};

export interface SettleRequest<O = SettleOptions> {
  readonly id: string;
  readonly options: O;
}

export const permitAllow = (
  cli: Cli,
  { id, options }: SettleRequest<SettleOptions & { scope: Scope }>,
): Promise<ExitCode> => settleById(cli, { id, options }, () => ({ type: "approve", scope: options.scope }));

export const permitDeny = (
  cli: Cli,
  { id, options }: SettleRequest<ServerOptions & { reason?: string }>,
): Promise<ExitCode> =>
  settleById(cli, { id, options }, () => ({
    type: "deny",
    ...(options.reason === undefined ? {} : { reason: options.reason }),
  }));

export const answer = (
  cli: Cli,
  { id, pairs, options }: SettleRequest & { readonly pairs: readonly string[] },
): Promise<ExitCode> =>
  settleById(cli, { id, options }, (interaction) => ({
    type: "answer",
    answers: readAnswers(pairs, interaction),
  }));

/** Prints one request in full, and how to approve exactly that. */
export async function permitShow(cli: Cli, { id, options }: SettleRequest<ServerOptions>): Promise<ExitCode> {
  const client = await Client.connect(cli, { server: options.server });
  const interaction = await inFull(client, await findInteraction(client, id));
  if (options.json) printJson(cli, interaction);
  else printOne(cli, interaction);
  return exit.done;
}

async function settleById(
  cli: Cli,
  { id, options }: SettleRequest,
  decide: (interaction: Interaction) => Settlement,
): Promise<ExitCode> {
  const client = await Client.connect(cli, { server: options.server });
  const listed = await findInteraction(client, id);
  const interaction = await inFull(client, listed);
  const settlement = decide(interaction);
  checkKind(interaction, settlement);
  const reason = unseenReason(listed) ?? unseenReason(interaction);
  if (reason && settlement.type !== "deny" && options.revision !== (interaction.revision ?? 1)) {
    refuseUnseen(cli, { interaction, settlement, reason });
  }
  const settled = await settle(client, interaction, settlement);
  if (options.json) printJson(cli, settled);
  else say(cli, `${settled.sessionName}: ${settled.resolution ?? "settled"} — ${askedInFull(settled)}`);
  const granted = settled.scope === "session" ? grantWords(settled) : undefined;
  if (granted && !options.json) say(cli, `${exactInput(granted)} is allowed until the session ends.`);
  return exit.done;
}

/** A larger request may be missing from one list and be in the next: a list can't show whether it was seen. */
const listableSize = 64 * 1024;

/** Why a person who goes by the id alone may not have seen what they are about to approve. */
function unseenReason({
  revision = 1,
  inputOmitted,
  input,
  diffs,
  questions,
}: Interaction): string | undefined {
  if (inputOmitted) return "This request is too large for the list.";
  if (revision > 1) return "The agent has changed this request.";
  const isLarge = JSON.stringify([input, diffs, questions]).length > listableSize;
  return isLarge ? "This request may be too large for the list." : undefined;
}

interface Unseen {
  readonly interaction: Interaction;
  readonly settlement: Settlement;
  readonly reason: string;
}

/** Shows a request that the person may not have seen as it is now, and lets them confirm exactly that one. */
function refuseUnseen(cli: Cli, { interaction, settlement, reason }: Unseen): void {
  const { id, state, revision = 1 } = interaction;
  if (state !== "open") return;
  cli.stdout.lines(askedRows(interaction, cli.stdout.room));
  const command = settlement.type === "answer" ? `drover answer ${id} …` : `drover permit allow ${id}`;
  throw new CliError(
    exit.conflict,
    `${reason} Nothing was decided.`,
    `If you agree with what is shown above: ${command} --revision ${revision}`,
  );
}

/** The whole request: a list of all sessions may omit large inputs. */
async function inFull(client: Client, listed: Interaction): Promise<Interaction> {
  if (!listed.inputOmitted) return listed;
  const path = withQuery("/api/interactions", { sessionId: listed.sessionId, state: "open" });
  const { interactions } = await client.get<InteractionList>(path);
  const found = interactions.find((one) => one.id === listed.id);
  if (!found)
    throw new CliError(
      exit.conflict,
      `${listed.id} is no longer open.`,
      "`drover permit ls` lists the open ones.",
    );
  return found;
}

/** Finds it by its own id or its tool call's. Open ones come first, because two sessions may use the same tool call id. */
async function findInteraction(client: Client, id: string): Promise<Interaction> {
  for (const state of ["open", "all"]) {
    const { interactions } = await client.get<InteractionList>(withQuery("/api/interactions", { state }));
    const exact = interactions.find((one) => one.id === id);
    if (exact) return exact;
    const matches = interactions.filter((one) => one.toolCallId === id);
    if (matches.length > 1 && state === "open") throw ambiguous(id, matches);
    const match = matches.at(-1);
    if (match) return match;
  }
  throw new CliError(
    exit.notFound,
    `No approval or question has the id ${id}.`,
    "`drover permit ls` lists the open ones.",
  );
}

function ambiguous(id: string, matches: readonly Interaction[]): CliError {
  const ids = matches.map((one) => `${one.id} (${one.sessionName})`).join(", ");
  return new CliError(exit.conflict, `Several sessions have a tool call ${id}.`, `Use one of: ${ids}`);
}

function checkKind({ id, kind }: Interaction, settlement: Settlement): void {
  if (kind === "question" && settlement.type !== "answer") {
    throw new CliError(
      exit.notFound,
      `${id} is a question, not an approval.`,
      `Answer it: drover answer ${id} …`,
    );
  }
  if (kind === "approval" && settlement.type === "answer") {
    const next = `Decide it: drover permit allow ${id}, or drover permit deny ${id}`;
    throw new CliError(exit.notFound, `${id} is an approval, not a question.`, next);
  }
}

/** Reads `KEY=VALUE …`. Repeating a key selects several options; a single question needs no key. */
export function readAnswers(pairs: readonly string[], { questions = [] }: Interaction): Answers {
  const answers: Answers = {};
  for (const pair of pairs) {
    const [key, value] = readPair(pair, questions);
    const before = answers[key];
    answers[key] = before === undefined ? value : [before, value].flat();
  }
  return answers;
}

function readPair(pair: string, questions: NonNullable<Interaction["questions"]>): [string, string] {
  const at = pair.indexOf("=");
  const [only, ...others] = questions;
  const isSingle = only !== undefined && others.length === 0;
  const key = at > 0 ? pair.slice(0, at) : undefined;
  // The answer to a single question may contain a "=" of its own.
  if (key !== undefined && (!isSingle || key === only.id)) return [key, pair.slice(at + 1)];
  if (isSingle) return [only.id, pair];
  const keys = questions.map((one) => one.id).join(", ");
  throw new CliError(exit.usage, `"${pair}" is not KEY=VALUE.`, `The keys are: ${keys}`);
}
