import { expect, test } from "vitest";
import { Projects } from "../../src/engine/projects.ts";
import { type ProjectRow, type Store, StoreError } from "../../src/ports.ts";
import { but, Staged } from "./support.ts";

test("projects are read again after a store that was busy", async () => {
  await using staged = await Staged.open({ agent: "echo" });
  let isBusy = true;
  const store: Store = but(staged.store, {
    projects: (): Promise<ProjectRow[]> =>
      isBusy
        ? Promise.reject(new StoreError("STORE_BUSY", "Another program holds the database"))
        : staged.store.projects(),
  });
  const projects = new Projects(store, async (path) => ({ ok: true, value: path }));
  await expect(projects.holding("/srv/a")).rejects.toThrow("Another program");
  isBusy = false;
  const made = await projects.holding("/srv/a");
  expect(await projects.find(made.id)).toEqual(made);
});
