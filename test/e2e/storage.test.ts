// The home: what it contains, which server may use it, and what happens when it is damaged, newer, in use or full.
import { readFileSync } from "node:fs";
import { cp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Session } from "@drover/core";
import { expect, test } from "vitest";
import { api } from "../kit/http.ts";
import { environmentOf, kill9, processesOf } from "../kit/processes.ts";
import { startServer } from "../kit/server.ts";
import { tempDir } from "../kit/temp.ts";
import { until } from "../kit/until.ts";
import { sharedRig } from "./shared-rig.ts";
import { drover, kitAgent, openRig, openSession } from "./support.ts";

const echo = { agents: { kit: kitAgent("echo.mjs") } };
/** For tests that leave the home intact: each ends with a running server. */
const shared = sharedRig(echo);
/** `T` is a process that is held. */
const stateOf = (pid: number) => /\) (\w) /.exec(readFileSync(`/proc/${pid}/stat`, "utf8"))?.[1];

async function pidOf(session: { get(): Promise<Session> }): Promise<number | undefined> {
  const { state, connection } = await session.get();
  return state === "running" ? connection.pid : undefined;
}

const mode = async (path: string) => ((await stat(path)).mode & 0o777).toString(8);

// Concurrent with the next two: the store takes seconds to report that another program locks the database.
test.concurrent("a turn that ends while the store cannot be written is recorded once it can, and the next turn runs", async () => {
  await using rig = await openRig();
  await using session = await openSession(rig, "demo");
  await session.send("hang");
  const pid = await until(() => pidOf(session));
  // The server may be writing at this moment.
  const database = new DatabaseSync(join(rig.server.droverHome, "drover.db"), { timeout: 20_000 });
  database.exec("BEGIN IMMEDIATE");
  process.kill(pid, "SIGKILL");
  const log = join(rig.server.droverHome, "server.log");
  const isRefused = async () => (await readFile(log, "utf8")).includes("rejected a change");
  await until(isRefused, { what: "the store refuses writes" });
  expect(await session.get()).toMatchObject({ turn: { id: expect.any(String) } });
  database.exec("ROLLBACK");
  database.close();
  await until(async () => !(await session.get()).turn, { what: "the turn has ended" });
  expect(await session.turn("say again")).toMatchObject({ ok: true });
});

test.concurrent("D1 a damaged database is set aside and reported, and the server starts with a new one", async ({
  expect,
}) => {
  await using rig = await openRig(echo);
  await using session = await openSession(rig);
  await session.turn("remember me");
  await session.follower.close();
  await session.post("stop");
  await rig.server.term();
  const file = join(rig.server.droverHome, "drover.db");
  const damaged = await readFile(file);
  damaged.fill(0x5a, 0, 4096);
  await writeFile(file, damaged);
  for (const part of ["-wal", "-shm"]) await rm(file + part, { force: true });

  await rig.start();
  const aside = (await readdir(rig.server.droverHome)).find((name) => /^drover\.db\.corrupt-\w+$/.test(name));
  expect(aside).toBeDefined();
  expect(await readFile(join(rig.server.droverHome, aside ?? ""))).toEqual(damaged);
  // It announces itself on one pipe and reports the damage on the other.
  await expect.poll(() => rig.server.stdout() + rig.server.stderr()).toContain(aside);
  expect(await rig.client.get("/api/sessions")).toEqual({ sessions: [] });
  await using next = await openSession(rig);
  expect(await next.turn("hello")).toMatchObject({ ok: true });
});

test.concurrent("D2 a database written by a newer version is refused and left unchanged", async () => {
  await using rig = await openRig(echo);
  const { id } = await rig.client.post<Session>("/api/sessions", { agent: "kit", cwd: rig.home });
  await rig.server.term();
  const file = join(rig.server.droverHome, "drover.db");
  const setVersion = (version: number) => {
    using database = new DatabaseSync(file);
    database.exec(`PRAGMA user_version = ${version}`);
  };
  const version = (() => {
    using database = new DatabaseSync(file);
    return Number(database.prepare("PRAGMA user_version").get()?.["user_version"]);
  })();
  setVersion(999);
  const { code, stderr } = await drover(rig.home, "serve", "--port", "0", "--json");
  expect(code).toBe(2);
  expect(stderr).toContain("newer Drover");
  expect(stderr).toContain("999");
  setVersion(version);
  await rig.start();
  expect(await rig.client.get(`/api/sessions/${id}`)).toMatchObject({ id });
});

test("D4 D6 deleting a session affects no other: its log stays readable by id, and its name is free again", async () => {
  const rig = shared;
  await using doomed = await openSession(rig, "kit", { name: "fox" });
  await using neighbour = await openSession(rig, "kit", { name: "red-fox" });
  await doomed.turn("first words");
  await neighbour.turn("other words");
  const untouched = await neighbour.items();
  const events = doomed.follower.events.length;
  const written = await rig.client.get<string>(doomed.path("/log"));
  await doomed.follower.close();

  expect(await rig.client.delete("/api/sessions/fox")).toEqual({ deleted: true });
  expect(await rig.client.ask("GET", "/api/sessions/fox")).toMatchObject({ status: 404 });
  const { sessions } = await rig.client.get<{ sessions: Session[] }>("/api/sessions");
  const names = sessions.map(({ name }) => name);
  expect([names.includes("red-fox"), names.includes("fox")]).toEqual([true, false]);
  expect(await neighbour.items()).toEqual(untouched);
  expect(await neighbour.turn("still here")).toMatchObject({ ok: true });

  await rig.server.kill9();
  await rig.start();
  expect(await rig.client.get(doomed.path("/log"))).toBe(written);
  expect(JSON.stringify(await doomed.items())).toContain("first words");
  await using heir = await openSession(rig, "kit", { name: "fox" });
  expect(heir.id).not.toBe(doomed.id);
  await heir.turn("new words");
  expect(JSON.stringify(await heir.items())).not.toContain("first words");
  expect(events).toBeGreaterThan(0);
});

test("D7 a second server on the same home is refused with an error that names the first", async () => {
  const { code, stderr } = await drover(shared.home, "serve", "--port", "0", "--json");
  expect(code).toBe(3);
  expect(stderr).toContain(String(shared.server.pid));
  expect(stderr).toContain(shared.server.url);
  expect(await shared.client.get("/api/health")).toBeTruthy();
  await shared.server.kill9();
  await shared.start();
  expect(await shared.client.get("/api/health")).toBeTruthy();
});

test("on a full disk new messages are refused with a time to retry, and existing data can be read", async () => {
  await using session = await openSession(shared);
  await session.turn("before");
  await shared.server.term();
  await shared.start({ DROVER__STORAGE__MINFREE: "1000000GiB" });
  const refused = await shared.client.ask("POST", session.path("/messages"), { body: { content: "now" } });
  expect(refused).toMatchObject({ status: 503, body: { code: "STORAGE_FULL" } });
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  expect(JSON.stringify(await session.items())).toContain("before");
  expect(await shared.client.get("/api/health")).toBeTruthy();

  await shared.server.term();
  await shared.start();
  expect(await session.turn("after")).toMatchObject({ ok: true });
  expect(JSON.stringify(await session.items())).not.toContain("now");
});

test("a server that starts on a full disk holds the running agents, and starts none until there is space", async () => {
  const rig = shared;
  await using speaker = await openSession(rig, "demo");
  await using asleep = await openSession(rig, "demo");
  await speaker.send("slow 20\nstream 100000");
  await asleep.send("hang");
  await asleep.send("say later");
  const [running, dying] = await Promise.all([speaker, asleep].map((one) => until(() => pidOf(one))));
  await rig.server.term();
  kill9(dying);
  await rig.start({ DROVER__STORAGE__MINFREE: "1000000GiB" });
  await until(() => stateOf(running ?? 0) === "T", { what: "the agent that was found is held" });
  await until(async () => (await asleep.get()).state === "starting");
  const marked = processesOf(rig.home).filter(
    ({ pid }) => environmentOf(pid)?.get("DROVER_SESSION") === asleep.id,
  );
  expect(marked).toEqual([]);

  await rig.server.term();
  await rig.start();
  await until(() => stateOf(running ?? 0) !== "T", { what: "the agent continues" });
  await until(async () => JSON.stringify(await asleep.items()).includes("later"));
  // It would go on for half an hour.
  await speaker.post("stop");
});

test("a backup made while the server runs is a complete home with its sessions, but without the token", async () => {
  await using session = await openSession(shared, "kit", { name: "kept" });
  await session.turn("put this away");
  const saved = join(shared.home, "saved");
  expect(await drover(shared.home, "backup", saved)).toMatchObject({ code: 0 });
  expect(await readdir(saved)).not.toContain("token");

  await using other = await tempDir("restored-");
  await cp(saved, join(other.path, ".drover"), { recursive: true });
  await using server = await startServer({ home: other.path });
  const items = await api(server).get("/api/sessions/kept/messages");
  expect(JSON.stringify(items)).toContain("put this away");
  expect(await api(server).get("/api/sessions/kept/log")).toBe(await shared.client.get(session.path("/log")));
  expect(server.token).not.toBe(shared.server.token);
});

test("only the owner can read the files in the home", async () => {
  await using server = await startServer();
  const home = server.droverHome;
  expect(await mode(home)).toBe("700");
  for (const file of ["token", "drover.db", "drover.db-wal", "lock.db", "server.json"]) {
    expect([file, await mode(join(home, file))]).toEqual([file, "600"]);
  }
});

test("a server forgets the responses to HTTP intents after a day", async () => {
  const create = (cwd: string, key: string) =>
    shared.client.ask("POST", "/api/sessions", {
      body: { agent: "demo", cwd },
      headers: { "idempotency-key": key },
    });
  for (const key of ["old", "new"]) expect((await create(shared.home, key)).status).toBe(201);
  await shared.server.term();
  {
    using db = new DatabaseSync(join(shared.server.droverHome, "drover.db"));
    db.exec("UPDATE receipts SET at = '2026-01-01T00:00:00.000Z' WHERE key = 'http:old'");
  }
  await shared.start();
  const work = join(shared.home, "work");
  // A different intent with a known key is refused.
  expect((await create(work, "new")).status).toBe(409);
  await until(async () => (await create(work, "old")).status === 201);
});
