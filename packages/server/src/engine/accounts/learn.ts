import { type AccountNews, accountNews, chooseAccount, Fault } from "@drover/core";
import type { AccountRow, AgentBatch } from "../../ports.ts";
import type { EngineDeps } from "../deps.ts";
import type { SessionLog } from "../session/log.ts";
import { clockWords } from "./words.ts";

/**
 * Notes what a failed attempt says about its account: all sessions know it from then on. Returns the fault in words that
 * name the account. May be repeated.
 */
export async function learnFrom(log: SessionLog, fault: Fault): Promise<Fault> {
  const { deps, journal } = log;
  const id = journal.row.runtime.attempt?.account;
  if (id === undefined) return fault;
  const now = Date.now();
  const news = accountNews(fault, { now, ...deps.settings.accounts });
  if (!news || news.type === "rate_limit") return fault;
  await note(deps, id, news);
  const accounts = await deps.store.accounts();
  const account = accounts.find((one) => one.id === id);
  if (!account) return fault;
  if (news.type === "refused") {
    const next = `It was sent with the account ${account.label}, which is not used until \`drover account clear ${id}\`.`;
    return new Fault("AUTH_FAILED", `${fault.message} ${next}`, fault);
  }
  const { until, assumed } = news.exhausted;
  const others = accounts.filter((one) => one.group === account.group && one.id !== id);
  const isFixed = journal.row.about.account !== undefined;
  const message = `The account ${account.label} is used up until ${clockWords(until)}. ${nextStep(others, { now, isFixed })}`;
  return new Fault("USAGE_LIMIT", message, {
    retry: "other-account",
    facts: { until, ...(assumed ? { assumed } : {}) },
  });
}

/** The same for a batch of the agent's output that ends the turn. */
export async function learnFromBatch(log: SessionLog, batch: AgentBatch): Promise<AgentBatch> {
  const { attempt } = log.journal.row.runtime;
  const isEnd = batch.facts.some((fact) => fact.type === "turn_end" && fact.fault);
  if (!isEnd || attempt?.account === undefined) return batch;
  const facts = batch.facts.map(async (fact) =>
    fact.type === "turn_end" && fact.fault && fact.turnId === attempt.turnId
      ? { ...fact, fault: await learnFrom(log, fact.fault) }
      : fact,
  );
  return { ...batch, facts: await Promise.all(facts) };
}

async function note(
  { store }: EngineDeps,
  id: string,
  news: Exclude<AccountNews, { type: "rate_limit" }>,
): Promise<void> {
  if (news.type === "exhausted") await store.markAccountExhausted(id, news.exhausted);
  else await store.changeAccount(id, { refusal: news.reason });
}

function nextStep(
  others: readonly AccountRow[],
  { now, isFixed }: { readonly now: number; readonly isFixed: boolean },
): string {
  if (isFixed) return "Choose another one for this session with `drover account use`, or wait until then.";
  const next = chooseAccount(others, { now, rotation: "least-recently-used" });
  return next
    ? `Send it again to continue with the account ${next.label}.`
    : "No other account can be used now: wait until then, or add one with `drover account add`.";
}
