import { expect, test } from "vitest";
import type { AccountRow } from "../../packages/server/src/ports.ts";
import type { NewStore } from "./store.ts";
import { extendLog, makeRow, node, stretch } from "./store-fixtures.ts";

const now = Date.parse("2026-11-19T12:00:00.000Z");
const at = (minutes: number) => new Date(now + minutes * 60_000).toISOString();
const choice = (minutes = 0) => ({ now: now + minutes * 60_000, rotation: "least-recently-used" as const });

const account = (name: string, fields: Partial<AccountRow> = {}): AccountRow => ({
  ...{ id: `acc_${name}`, group: "g", label: name, kind: "token", enabled: true, priority: 0 },
  createdAt: at(-60),
  ...fields,
});

export function accountsContract(newStore: NewStore): void {
  test("accounts are stored, changed and removed", async () => {
    await using place = await newStore();
    const a = account("a", { email: "a@example.com", refusal: "No" });
    const b = account("b", { kind: "env", env: ["KEY"] });
    await Promise.all([place.store.addAccount(b), place.store.addAccount(a)]);
    expect(await (await place.reopen()).accounts()).toEqual([a, b]);
    await place.store.changeAccount(a.id, { label: "work", refusal: null, enabled: false });
    await place.store.changeAccount("acc_unknown", { label: "x" });
    await place.store.removeAccount(b.id);
    const { refusal: _, ...changed } = { ...a, label: "work", enabled: false };
    expect(await place.store.accounts()).toEqual([changed]);
  });

  test("K2 accounts are taken in turns, those taken at the same moment included", async () => {
    await using place = await newStore();
    const { store } = place;
    for (const name of ["a", "b", "c"]) await store.addAccount(account(name));
    await store.addAccount(account("other", { group: "h" }));
    const taken = await Promise.all([1, 2, 3].map(() => store.takeAccount("g", choice())));
    expect(taken.map((one) => one?.label)).toEqual(["a", "b", "c"]);
    expect((await store.takeAccount("g", choice(1)))?.label).toBe("a");
    expect((await (await place.reopen()).accounts()).map(({ lastUsedAt }) => lastUsedAt)).toEqual([
      ...[at(1), at(0), at(0), undefined],
    ]);
    expect(await place.store.takeAccount("none", choice())).toBeUndefined();
  });

  test("K2 an exhausted account is back after its limit, and the later end of a limit holds", async () => {
    await using place = await newStore();
    const { store } = place;
    await store.addAccount(account("a"));
    await Promise.all([
      store.markAccountExhausted("acc_a", { until: at(9) }),
      store.markAccountExhausted("acc_a", { until: at(5), assumed: true }),
      store.markAccountExhausted("acc_unknown", { until: at(5) }),
    ]);
    expect(await store.accounts()).toMatchObject([{ exhausted: { until: at(9) } }]);
    expect(await store.takeAccount("g", choice(8))).toBeUndefined();
    expect((await store.takeAccount("g", choice(9)))?.label).toBe("a");
  });

  test("sessions that use an account are found by what a person chose, and by their running turns", async () => {
    await using place = await newStore();
    const { store } = place;
    const plain = makeRow();
    const fixed = makeRow({ name: "fixed", about: { ...plain.about, account: "acc_a" } });
    const running = makeRow({ name: "running" });
    for (const row of [plain, fixed, running]) await store.create({ row }, node);
    const attempt = {
      turnId: "trn_1",
      n: 1,
      account: "acc_b",
      prompt: { kind: "message", seq: 1, phase: "written" },
    } as const;
    const runtime = { ...running.runtime, attempt };
    await extendLog(store, { ...running, runtime }, { events: [stretch(1)] });
    expect(await store.accountUses()).toEqual([
      { accountId: "acc_a", id: fixed.id, name: "fixed" },
      { accountId: "acc_b", id: running.id, name: "running" },
    ]);
  });
}
