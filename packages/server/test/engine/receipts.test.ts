import { expect, test } from "vitest";
import { Idempotency } from "../../src/operations/idempotency.ts";
import type { Append, Store } from "../../src/ports.ts";
import { but, granted, Staged } from "./support.ts";

/** What a store was asked to commit: every append, and every receipt saved outside an append. */
interface Commits {
  readonly appends: Append[];
  readonly saved: string[];
}

const counted = (commits: Commits) => (real: Store) =>
  but(real, {
    append: (append) => {
      commits.appends.push(append);
      return real.append(append);
    },
    saveReceipt: (receipt) => {
      commits.saved.push(receipt.key);
      return real.saveReceipt(receipt);
    },
  });

const message = { content: "work", disposition: "queue", strict: false } as const;
const intent = (clientKey: string) => ({ key: `http:${clientKey}`, hash: "of the request", clientKey });

test.for([
  ["an Idempotency-Key", {}],
  ["an Idempotency-Key and a clientMessageId", { clientMessageId: "mine" }],
] as const)("a message with %s is one commit, with its receipts in it", async ([, ids]) => {
  const commits: Commits = { appends: [], saved: [] };
  const store = counted(commits);
  await using staged = await Staged.open({ agent: "stays-silent", store });
  const { id } = await staged.create();
  const idempotency = new Idempotency(store(staged.store));
  const send = () =>
    idempotency.once(intent("k1"), (known) =>
      staged.service.sessions.send(id, { ...message, ...ids }, { by: "api", intent: known }),
    );
  const receipt = granted(await send());
  const own = "clientMessageId" in ids ? [`send:${id}:id:mine`] : [];
  const [first, ...others] = commits.appends.filter(({ receipts }) => receipts);
  expect(first?.events.map(({ type }) => type)).toContain("message");
  expect(first?.receipts?.map(({ key }) => key)).toEqual([...own, "http:k1"]);
  expect(others).toEqual([]);
  expect(commits.saved).toEqual([]);

  expect(granted(await send())).toEqual(receipt);
  expect(commits.saved).toEqual([]);
  expect((await staged.types(id)).filter((type) => type === "message")).toHaveLength(1);
});

test("a message that was already accepted is recognized under a new key, too", async () => {
  await using staged = await Staged.open({ agent: "stays-silent" });
  const { id } = await staged.create();
  const idempotency = new Idempotency(staged.store);
  const send = (key: string, content: string) =>
    idempotency.once(intent(key), (known) =>
      staged.service.sessions.send(
        id,
        { ...message, content, clientMessageId: "mine" },
        { by: "api", intent: known },
      ),
    );
  const receipt = granted(await send("k1", "work"));
  expect(granted(await send("k2", "work"))).toEqual(receipt);
  const other = { ...intent("k2"), hash: "of another request" };
  const refused = await idempotency.once(other, () => Promise.reject(new Error("It ran")));
  expect(refused).toMatchObject({ error: { code: "IDEMPOTENCY_CONFLICT" } });
});

test("answers stored by an earlier version are repeated, except streams, for which it stored nothing", async () => {
  await using staged = await Staged.open({ agent: "stays-silent" });
  const store = staged.store;
  const keep = (key: string, answer: string) =>
    store.saveReceipt({ key: `http:${key}`, hash: "of the request", answer });
  await keep("value", '201\n{"id":"x"}');
  await keep("nothing", "204\n");
  await keep("refusal", '404\n{"error":"There is none","code":"NOT_FOUND","what":"session"}');
  await keep("stream", "");
  const idempotency = new Idempotency(store);
  const repeat = (key: string) =>
    idempotency.once(intent(key), () => Promise.reject(new Error("It ran again")));
  expect(await repeat("value")).toEqual({ ok: true, value: { id: "x" } });
  expect(await repeat("nothing")).toEqual({ ok: true, value: null });
  expect(await repeat("refusal")).toEqual({
    ok: false,
    error: { code: "NOT_FOUND", message: "There is none", facts: { what: "session" } },
  });
  expect(await repeat("stream")).toMatchObject({ error: { code: "IDEMPOTENCY_CONFLICT" } });
});
