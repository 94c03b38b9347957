import { expect, test } from "vitest";
import { Projects } from "../../src/engine/service/projects.ts";
import { type ProjectRow, type Store, StoreError } from "../../src/ports.ts";
import { but, Staged } from "./support.ts";

test("projects are read again if the store was busy", async () => {
  await using staged = await Staged.open({ agent: "echo" });
  let isBusy = true;
  const store: Store = but(staged.store, {
    projects: (): Promise<ProjectRow[]> =>
      isBusy
        ? Promise.reject(new StoreError("STORE_BUSY", "Another program holds the database"))
        : staged.store.projects(),
  });
  const projects = new Projects(store, {
    resolvePath: async (path) => ({ ok: true, value: path }),
    repositoryTop: async () => undefined,
    isHomeOrAbove: async () => false,
    refile: async () => undefined,
    refileLater: () => undefined,
  });
  await expect(projects.holding("/srv/a")).rejects.toThrow("Another program");
  isBusy = false;
  const made = await projects.holding("/srv/a");
  expect(await projects.find(made?.id)).toEqual(made);
});

test("the total size of a project's variables is limited across requests", async () => {
  await using staged = await Staged.open({ agent: "echo" });
  const { projects } = staged.service;
  const added = await projects.add({ path: staged.directory });
  if (!added.ok) throw new Error(added.error.message);
  const { id } = added.value;
  const value = "x".repeat(32_768);
  for (let n = 0; n < 15; n++)
    expect(await projects.patch(id, { env: { [`V${n}`]: value } })).toMatchObject({ ok: true });
  expect(await projects.patch(id, { env: { LAST: value } })).toMatchObject({
    ok: false,
    error: { code: "BAD_REQUEST", facts: { issues: [{ path: "env" }] } },
  });
  expect(await projects.patch(id, { env: { V0: null, LAST: value } })).toMatchObject({ ok: true });
});
