export const rotations = ["least-recently-used", "sticky"] as const;
export type Rotation = (typeof rotations)[number];

/** A vendor's limit on an account: it is not chosen before `until`. */
export interface Exhaustion {
  readonly until: string;
  /** The vendor did not say when its limit ends. */
  readonly assumed?: true | undefined;
}

/** What decides whether an account can be used, and when it is its turn. */
export interface AccountStanding {
  readonly id: string;
  readonly enabled: boolean;
  /** Why the vendor does not accept its login. */
  readonly refusal?: string | undefined;
  /** When its token ends, if it has an end. */
  readonly expiresAt?: string | undefined;
  readonly exhausted?: Exhaustion | undefined;
  readonly lastUsedAt?: string | undefined;
  /** The highest goes first among accounts that were last used at the same time, or never. */
  readonly priority: number;
  readonly createdAt: string;
}

export type AccountCondition = "usable" | "disabled" | "invalid" | "exhausted";

/** A token that is about to end would end in the middle of a turn. */
const remainingLifeMs = 5 * 60_000;

/** Whether a token with this end can carry a turn; one without an end always can. */
export const isExpired = (expiresAt: string | null | undefined, now: number): boolean =>
  typeof expiresAt === "string" && Date.parse(expiresAt) - now < remainingLifeMs;

export const isExhausted = ({ exhausted }: Pick<AccountStanding, "exhausted">, now: number): boolean =>
  exhausted !== undefined && Date.parse(exhausted.until) > now;

/** Whether an account can be used, or what prevents it. A person's own choice comes first. */
export function conditionOf(account: AccountStanding, now: number): AccountCondition {
  if (!account.enabled) return "disabled";
  if (account.refusal !== undefined || isExpired(account.expiresAt, now)) return "invalid";
  return isExhausted(account, now) ? "exhausted" : "usable";
}

export interface Choice {
  readonly now: number;
  readonly rotation: Rotation;
  /** The account that the session used last. */
  readonly current?: string | undefined;
  /** The one that a person chose: no other will do. */
  readonly only?: string | undefined;
}

/** The account for the next turn; undefined if none can be used. */
export function chooseAccount<A extends AccountStanding>(
  accounts: readonly A[],
  { now, rotation, current, only }: Choice,
): A | undefined {
  const allowed = only === undefined ? accounts : accounts.filter(({ id }) => id === only);
  const usable = allowed.filter((account) => conditionOf(account, now) === "usable");
  const kept = rotation === "sticky" ? usable.find(({ id }) => id === current) : undefined;
  return kept ?? usable.toSorted(byTurn)[0];
}

/** Never used before least recently used; then by priority, then by age. */
const byTurn = (one: AccountStanding, other: AccountStanding): number =>
  (one.lastUsedAt ?? "").localeCompare(other.lastUsedAt ?? "") ||
  other.priority - one.priority ||
  one.createdAt.localeCompare(other.createdAt) ||
  one.id.localeCompare(other.id);

/** What is known after another report of a limit: the later end holds. */
export const laterExhaustion = (known: Exhaustion | undefined, reported: Exhaustion): Exhaustion =>
  known && Date.parse(known.until) >= Date.parse(reported.until) ? known : reported;

/** When the first of these accounts can be used again; undefined if none is merely exhausted. */
export function firstBack(accounts: readonly AccountStanding[], now: number): string | undefined {
  const ends = accounts.flatMap((account) =>
    conditionOf(account, now) === "exhausted" && account.exhausted ? [account.exhausted.until] : [],
  );
  return ends.toSorted((one, other) => Date.parse(one) - Date.parse(other))[0];
}
