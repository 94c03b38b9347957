import type { CommitList, DecideReview, Review, Reviewed } from "@drover/core";
import type { Cli } from "../cli.ts";
import { CliError, type ExitCode, exit } from "../exit.ts";
import type { ServerOptions } from "../options.ts";
import { printJson, say } from "../print.ts";
import { Client } from "../server/client.ts";
import { sessionPath } from "../server/paths.ts";
import { resolveSession } from "../server/session-reference.ts";
import { style } from "../terminal/styled.ts";
import { describeChanges, reviewWords } from "../view/review.ts";
import { oneLine } from "../view/text.ts";
import { age, count, failedCheck } from "../view/words.ts";

export interface ReviewOptions extends ServerOptions {
  readonly accept?: boolean;
  readonly reject?: boolean;
  /** What the agent has to change. */
  readonly changes?: string;
  readonly message?: string;
}

/** Prints how the review of a session's work stands, or decides it. */
export async function review(
  cli: Cli,
  { session: reference, options }: { readonly session: string; readonly options: ReviewOptions },
): Promise<ExitCode> {
  const decision = decisionIn(options);
  const client = await Client.connect(cli, { server: options.server });
  const session = await resolveSession(client, reference);
  if (decision) {
    const answer = await client.post<Reviewed>(sessionPath(session, "review"), decision);
    if (options.json) printJson(cli, answer);
    else say(cli, decided(session, decision));
    return exit.done;
  }
  const found = await client.get<Review>(sessionPath(session, "review"));
  const commits = await client.get<CommitList>(sessionPath(session, "commits"));
  if (options.json) printJson(cli, { review: found, ...commits });
  else show(cli, session, { review: found, ...commits });
  return exit.done;
}

function decisionIn({ accept, reject, changes, message }: ReviewOptions): DecideReview | undefined {
  const note = message === undefined ? {} : { message };
  if (accept) return { do: "accept", ...note };
  if (reject) return { do: "reject", ...note };
  if (changes !== undefined) return { do: "request_changes", message: changes };
  if (message === undefined) return undefined;
  const next = "Add --accept or --reject, or use --changes to send it to the agent.";
  throw new CliError(exit.usage, "--message belongs to a decision.", next);
}

function decided(session: string, { do: decision }: DecideReview): string {
  if (decision === "accept") return `Accepted the work of ${session}. \`drover merge ${session}\` merges it.`;
  if (decision === "reject") return `Rejected the work of ${session}. Its branch stays.`;
  return `Sent to ${session}. \`drover wait ${session}\` waits until it is done.`;
}

function show(
  cli: Cli,
  session: string,
  { review: found, commits, incomplete }: { review: Review } & CommitList,
): void {
  const facts = describe(found);
  const width = Math.max(...facts.map(([label]) => label.length));
  cli.stdout.lines(facts.map(([label, value]) => [style.dim(label.padEnd(width)), `  ${oneLine(value)}`]));
  if (found.checks?.state === "failed") cli.stdout.lines(failedCheck(found.checks));
  if (commits.length > 0) cli.stdout.lines(["", style.dim("commits")]);
  for (const { id, author, at, subject } of commits) {
    cli.stdout.line(`  ${id.slice(0, 10)}  ${age(at)}  ${oneLine(author)}  ${oneLine(subject)}`);
  }
  if (incomplete) cli.stdout.line("  … and more");
  if (found.files > 0) say(cli, `\`drover diff ${session} --against base\` shows the changes.`);
}

function describe(found: Review): [string, string][] {
  const { into, ahead, behind, files, conflicts = [], unresolved = [], checks } = found;
  const facts: [string, string | undefined][] = [
    ["state", reviewWords(found.state)],
    ["into", into === undefined ? undefined : `${into} (${count(ahead, "commit")} ahead, ${behind} behind)`],
    ["changes", files === 0 ? undefined : describeChanges(found)],
    ["conflicts", conflicts.join(", ") || undefined],
    ["unresolved", unresolved.join(", ") || undefined],
    ["checks", checks && `${checks.state}: ${checks.command}`],
    ["merged as", found.mergedAs],
    ["pull request", found.pullRequest],
  ];
  return facts.filter((fact): fact is [string, string] => fact[1] !== undefined);
}
