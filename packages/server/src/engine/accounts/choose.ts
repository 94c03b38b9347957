import { type Attempt, accountGroupOf, conditionOf, Fault, firstBack, type Preset } from "@drover/core";
import type { AccountRow } from "../../ports.ts";
import type { SessionLog } from "../session/log.ts";
import { accountVariables } from "./variables.ts";
import { clockWords } from "./words.ts";

/**
 * The account for an attempt: the one that was chosen for it before, a person's choice, or the one whose turn it is.
 * Undefined if the agent uses its own login, because it has no account. Throws a Fault if none can be used.
 */
export async function accountFor(
  { deps, journal }: SessionLog,
  attempt: Attempt,
): Promise<string | undefined> {
  const { about, runtime } = journal.row;
  if (attempt.account !== undefined) return attempt.account;
  const preset = deps.presets.get(about.agent);
  if (!preset?.account) return undefined;
  const group = accountGroupOf(preset);
  const { rotation } = deps.settings.accounts;
  const { account: only } = about;
  for (;;) {
    const now = Date.now();
    const choice = { now, rotation, ...{ current: runtime.account, only } };
    const taken = await deps.store.takeAccount(group, choice);
    if (!taken) {
      const ofGroup = (await deps.store.accounts()).filter((account) => account.group === group);
      if (only !== undefined)
        throw whyNot(
          ofGroup.find(({ id }) => id === only),
          now,
        );
      if (!ofGroup.some(({ enabled }) => enabled)) return undefined;
      throw noneLeft(preset, ofGroup, now);
    }
    const refusal = await accountVariables(deps, preset, taken).then(
      () => undefined,
      (error: unknown) => (error instanceof Fault ? error.message : String(error)),
    );
    if (refusal === undefined) return taken.id;
    await deps.store.changeAccount(taken.id, { refusal });
  }
}

/** Why the account that a person chose cannot be used, and what to do. */
function whyNot(account: AccountRow | undefined, now: number): Fault {
  const choose = "Choose another one for this session with `drover account use`";
  if (!account) return refused(`The account of this session was removed. ${choose}.`);
  const { id, label, refusal = "its token has expired", exhausted } = account;
  const condition = conditionOf(account, now);
  if (condition === "exhausted" && exhausted) {
    const { until } = exhausted;
    const what = `The account ${label} is used up until ${clockWords(until)}. ${choose}, or wait until then.`;
    return new Fault("USAGE_LIMIT", what, { retry: "other-account", facts: { until } });
  }
  if (condition === "disabled") {
    return refused(
      `The account ${label} is disabled. Enable it with \`drover account enable ${id}\`, or choose another one.`,
    );
  }
  return refused(`The account ${label} cannot be used: ${refusal}. ${choose}, or add it again.`);
}

function noneLeft({ name }: Preset, accounts: readonly AccountRow[], now: number): Fault {
  const until = firstBack(accounts, now);
  if (until !== undefined) {
    const what = `Every account of ${name} is used up; the first is back at ${clockWords(until)}. Send it again then, or add another one with \`drover account add\`.`;
    return new Fault("USAGE_LIMIT", what, { retry: "other-account", facts: { until } });
  }
  return refused(`No account of ${name} can be used. \`drover account ls\` says why.`);
}

const refused = (what: string): Fault => new Fault("AUTH_FAILED", what, { retry: "other-account" });
