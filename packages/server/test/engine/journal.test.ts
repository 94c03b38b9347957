import { expect, test } from "vitest";
import type { SessionRow, Store } from "../../src/ports.ts";
import { but, Staged } from "./support.ts";

test("what people chose for a session is written again only when it changes", async () => {
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
  // The store knows by the object itself whether it must be written.
  expect(new Set(rows.map(({ about }) => about)).size).toBe(1);
});
