import { expect, test } from "vitest";
import type { NewStore } from "./store.ts";
import { createSession, makeRow } from "./store-fixtures.ts";

/** The projects that sessions are filed under. */
export function filingsContract(newStore: NewStore): void {
  test("sessions at or below a directory are found with their project, others are not", async () => {
    await using place = await newStore();
    const add = (cwd: string, projectId?: string, archived = false) => {
      const { about } = makeRow();
      return createSession(place.store, {
        cwd,
        archived,
        about: { ...about, ...(projectId && { projectId }) },
      });
    };
    const at = await add("/srv/a", "prj_1");
    const below = await add("/srv/a/b/c", undefined, true);
    const odd = await add("/srv/a/\u{1F600}%_", "prj_2");
    const beside = await add("/srv/a-evil", "prj_1");
    const above = await add("/srv", "prj_1");
    const filed = [
      { id: at.id, projectDir: "/srv/a", projectId: "prj_1" },
      { id: below.id, projectDir: "/srv/a/b/c" },
      { id: odd.id, projectDir: "/srv/a/\u{1F600}%_", projectId: "prj_2" },
    ];
    expect(await place.store.filings("/srv/a")).toEqual(filed);
    expect((await place.store.filings()).map(({ id }) => id)).toEqual(
      [at, below, odd, beside, above].map(({ id }) => id),
    );
  });
}
