// Lists of sessions: newest activity first, in pages, and filtered by directory, however its path is written.
import { mkdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import type { Session } from "@drover/core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openRig, openSession, type Rig } from "./support.ts";

let rig: Rig;
beforeAll(async () => {
  rig = await openRig();
});
afterAll(() => rig[Symbol.asyncDispose]());

interface Page {
  sessions: Session[];
  before?: string;
}

const list = (query: Record<string, string>) =>
  rig.client.get<Page>(`/api/sessions?${new URLSearchParams(query)}`);

test("pages are ordered by newest activity, and the last one has no cursor for another", async () => {
  const made: string[] = [];
  for (let n = 0; n < 3; n++) {
    await using session = await openSession(rig, "demo");
    made.push(session.id);
  }
  const [oldest = ""] = made;
  await rig.client.patch(`/api/sessions/${oldest}`, { title: "touched" });
  const read: string[] = [];
  for (let before: string | undefined, isLast = false; !isLast; ) {
    const page: Page = await list({ limit: "2", ...(before === undefined ? {} : { before }) });
    read.push(...page.sessions.map(({ id }) => id));
    before = page.before;
    isLast = before === undefined;
  }
  expect(read).toEqual([oldest, ...made.slice(1).reverse()]);
});

test("an invalid cursor is a bad request that names it", async () => {
  const answer = await rig.client.ask("GET", "/api/sessions?before=garbage");
  expect(answer).toMatchObject({
    status: 400,
    body: { code: "BAD_REQUEST", issues: [{ path: "before", message: expect.any(String) }] },
  });
});

test("the sessions of a directory are found by any path that leads to it, but not by a path outside the roots", async () => {
  const place = join(rig.home, "place");
  await mkdir(place);
  await symlink(place, join(rig.home, "way"));
  await using session = await openSession(rig, "demo", { cwd: join(rig.home, "way") });
  for (const cwd of [place, `${place}/`, join(rig.home, "way"), join(rig.home, "work", "..", "place")]) {
    const { sessions } = await list({ cwd });
    expect(sessions.map(({ id }) => id)).toEqual([session.id]);
  }
  expect((await list({ cwd: join(rig.home, "gone") })).sessions).toEqual([]);
  expect(await rig.client.ask("GET", "/api/sessions?cwd=/etc")).toMatchObject({
    status: 403,
    body: { code: "OUTSIDE_BOUNDARY" },
  });
});

test("a relative path is refused with the name of its field", async () => {
  for (const field of ["cwd", "instructionFile"]) {
    const fields = { agent: "demo", cwd: join(rig.home, "work"), [field]: "work" };
    expect(await rig.client.ask("POST", "/api/sessions", { body: fields })).toMatchObject({
      status: 400,
      body: { code: "BAD_REQUEST", issues: [{ path: field }] },
    });
  }
});

test("an unsupported option is refused by name", async () => {
  for (const [what, fields] of Object.entries({
    container: { workspace: "container" },
    confined: { confined: true },
  })) {
    const body = { agent: "demo", cwd: join(rig.home, "work"), ...fields };
    expect(await rig.client.ask("POST", "/api/sessions", { body })).toMatchObject({
      status: 400,
      body: { code: "UNSUPPORTED", what },
    });
  }
});
