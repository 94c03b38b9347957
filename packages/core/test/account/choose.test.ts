import { describe, expect, test } from "vitest";
import {
  type AccountStanding,
  chooseAccount,
  conditionOf,
  firstBack,
  laterExhaustion,
} from "../../src/account/choose.ts";

const now = Date.parse("2026-11-19T12:00:00.000Z");
const at = (minutes: number) => new Date(now + minutes * 60_000).toISOString();

const account = (id: string, fields: Partial<AccountStanding> = {}): AccountStanding => ({
  ...{ id, enabled: true, priority: 0, createdAt: at(-1000) },
  ...fields,
});

const choose = (accounts: readonly AccountStanding[], current?: string, rotation?: "sticky") =>
  chooseAccount(accounts, { now, current, rotation: rotation ?? "least-recently-used" })?.id;

describe("K2 the account of a turn", () => {
  test.each<[what: string, accounts: readonly AccountStanding[], chosen: string | undefined]>([
    ["is the one that was never used", [account("a", { lastUsedAt: at(-9) }), account("b")], "b"],
    [
      "is the one that was used the longest ago",
      [account("a", { lastUsedAt: at(-1) }), account("b", { lastUsedAt: at(-2) })],
      "b",
    ],
    [
      "is the one with the highest priority of those never used",
      [account("a", { createdAt: at(-2000) }), account("b", { priority: 1 })],
      "b",
    ],
    [
      "was used the longest ago, whatever its priority",
      [account("a", { priority: 9, lastUsedAt: at(-1) }), account("b", { lastUsedAt: at(-2) })],
      "b",
    ],
    ["is the oldest of equal ones", [account("a"), account("b", { createdAt: at(-2000) })], "b"],
    ["is not disabled", [account("a", { enabled: false }), account("b", { lastUsedAt: at(-1) })], "b"],
    ["is not refused", [account("a", { refusal: "No" }), account("b", { lastUsedAt: at(-1) })], "b"],
    ["does not expire soon", [account("a", { expiresAt: at(4) }), account("b", { lastUsedAt: at(-1) })], "b"],
    [
      "is not exhausted",
      [account("a", { exhausted: { until: at(1) } }), account("b", { lastUsedAt: at(-1) })],
      "b",
    ],
    [
      "is one whose limit has passed",
      [
        account("a", { exhausted: { until: at(-1) }, lastUsedAt: at(-9) }),
        account("b", { lastUsedAt: at(-1) }),
      ],
      "a",
    ],
    ["is none if none can be used", [account("a", { enabled: false })], undefined],
    ["is none if there is none", [], undefined],
  ])("%s", (_, accounts, chosen) => {
    expect(choose(accounts)).toBe(chosen);
    expect(choose(accounts.toReversed())).toBe(chosen);
  });

  test("stays the same if the rotation is sticky, until it is exhausted", () => {
    const used = account("a", { lastUsedAt: at(-1) });
    expect(choose([used, account("b")], "a", "sticky")).toBe("a");
    expect(choose([{ ...used, exhausted: { until: at(1) } }, account("b")], "a", "sticky")).toBe("b");
    expect(choose([used, account("b")], undefined, "sticky")).toBe("b");
  });

  test("is taken in turns by three accounts", () => {
    let accounts = ["a", "b", "c"].map((id) => account(id));
    const taken: (string | undefined)[] = [];
    for (let turn = 0; turn < 6; turn++) {
      const id = choose(accounts);
      taken.push(id);
      accounts = accounts.map((one) => (one.id === id ? { ...one, lastUsedAt: at(turn - 100) } : one));
    }
    expect(taken).toEqual(["a", "b", "c", "a", "b", "c"]);
  });
});

test.each<[fields: Partial<AccountStanding>, condition: string]>([
  [{}, "usable"],
  [{ expiresAt: at(5) }, "usable"],
  [{ expiresAt: at(4.9) }, "invalid"],
  [{ enabled: false, refusal: "No", exhausted: { until: at(1) } }, "disabled"],
  [{ refusal: "No", exhausted: { until: at(1) } }, "invalid"],
  [{ exhausted: { until: at(1) } }, "exhausted"],
  [{ exhausted: { until: at(0) } }, "usable"],
])("an account with %j is %s", (fields, condition) => {
  expect(conditionOf(account("a", fields), now)).toBe(condition);
});

test("of two reports of a limit, the later end holds", () => {
  expect(laterExhaustion(undefined, { until: at(1) })).toEqual({ until: at(1) });
  expect(laterExhaustion({ until: at(2) }, { until: at(1) })).toEqual({ until: at(2) });
  expect(laterExhaustion({ until: at(1), assumed: true }, { until: at(2) })).toEqual({ until: at(2) });
});

test("the first account to be back is an exhausted one that nothing else prevents", () => {
  const accounts = [
    account("a", { exhausted: { until: at(3) } }),
    account("b", { exhausted: { until: at(2) } }),
    account("c", { exhausted: { until: at(1) }, enabled: false }),
    account("d", { exhausted: { until: at(-1) } }),
  ];
  expect(firstBack(accounts, now)).toBe(at(2));
  expect(firstBack([account("a")], now)).toBeUndefined();
});
