import { expect, test } from "vitest";
import type { SessionRow, Store } from "../../src/ports.ts";
import { but, granted, Staged } from "./support.ts";

test("a session's settings are written again only when they change", async () => {
  const rows: SessionRow[] = [];
  const store = (real: Store): Store =>
    but(real, {
      append(append) {
        rows.push(append.session.row);
        return real.append(append);
      },
    });
  await using staged = await Staged.open({ agent: "echo", store });
  const { id } = await staged.create();
  await staged.send(id, "the title");
  await staged.when(id, ({ lastTurn }) => lastTurn?.ok === true);
  expect(rows.length).toBeGreaterThan(4);
  // The store compares by object identity to decide whether to write it.
  expect(new Set(rows.map(({ about }) => about)).size).toBe(1);
});

test("E4 a server stores nothing more of a session that another node has taken over", async () => {
  await using staged = await Staged.open({ agent: "echo" });
  const { id } = await staged.create();
  const { sessions } = staged.service;
  granted(await sessions.patch(id, { title: "before" }));
  expect(await staged.store.claim(id, "another")).toBe(2);
  const stale = { name: "StoreError", code: "STALE_OWNER" };
  await expect(sessions.patch(id, { title: "after" })).rejects.toMatchObject(stale);
  await expect(staged.send(id, "hello")).rejects.toMatchObject(stale);
  await expect(sessions.remove(id, { force: false })).rejects.toMatchObject(stale);
  expect(await staged.types(id)).toEqual([]);
  expect((await staged.store.session(id))?.about.title).toBe("before");
});
