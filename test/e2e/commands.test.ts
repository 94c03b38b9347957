// An agent's own commands, and file names for completion, over HTTP.
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { DirectoryMatches, FileMatches, Session, SessionList } from "@drover/core";
import { expect, test } from "vitest";
import { until } from "../kit/until.ts";
import { sharedRig } from "./shared-rig.ts";
import { demoProgram, openSession } from "./support.ts";

const rig = sharedRig(() => ({ agents: { demo: demoProgram } }));

test("the commands an agent announces are part of its session, but not of the list of sessions", async () => {
  await using session = await openSession(rig, "demo");
  expect(await session.turn("/help")).toMatchObject({ ok: true });
  const read = async () => await rig.client.get<Session>(`/api/sessions/${session.id}`);
  const { commands } = await until(async () => {
    const found = await read();
    return found.commands && found;
  });
  expect(commands?.map(({ name }) => name)).toEqual(["tour", "help", "stream"]);
  expect(commands?.at(-1)).toMatchObject({ hint: "number of words" });
  const { sessions } = await rig.client.get<SessionList>("/api/sessions");
  expect(sessions.map((each) => each.commands)).toEqual([undefined]);
});

test("files are found in a session's directory and in any allowed directory, and no other directory is listed", async () => {
  await using session = await openSession(rig, "demo");
  const { cwd } = await rig.client.get<Session>(`/api/sessions/${session.id}`);
  await mkdir(join(cwd, "src"), { recursive: true });
  await writeFile(join(cwd, "src", "app.ts"), "");
  const found = await rig.client.get<FileMatches>(`/api/sessions/${session.id}/files?query=app`);
  expect(found).toEqual({ files: [{ path: "src/app.ts" }] });
  const byDirectory = await rig.client.get<FileMatches>(
    `/api/files?query=app&cwd=${encodeURIComponent(cwd)}`,
  );
  expect(byDirectory).toEqual(found);
  const outside = await rig.client.ask("GET", "/api/files?query=passwd&cwd=/etc");
  expect(outside).toMatchObject({ status: 403, body: { code: "OUTSIDE_BOUNDARY" } });
  const directories = await rig.client.get<DirectoryMatches>(
    `/api/directories?query=${encodeURIComponent(`${cwd}/`)}`,
  );
  expect(directories.directories).toContainEqual({ path: join(cwd, "src") });
  expect((await rig.client.get<DirectoryMatches>("/api/directories?query=/etc/")).directories).toEqual([]);
});
