// What a login can do and how it ends, on a server as it is installed, with its files and its command line.
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { restoreHome } from "../homes/home.ts";
import { api } from "../kit/http.ts";
import { type Login, logInByToken, newLoginKey } from "../kit/login.ts";
import { cleanEnvironment, droverCommand, type Server, startServer } from "../kit/server.ts";
import { openSocket } from "../kit/socket.ts";
import { tempDir } from "../kit/temp.ts";

const run = promisify(execFile);

/** `drover ARGS` in the server's home. */
async function cli({ home }: Server, ...args: string[]) {
  const ended = run(process.execPath, [droverCommand, ...args], { cwd: home, env: cleanEnvironment(home) });
  return ended.then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    (error: { code: number; stdout: string; stderr: string }) => error,
  );
}

const statusOf = async ({ url }: { url: string }, { headers }: Pick<Login, "headers">) =>
  (await fetch(new URL("/api/sessions", url), { headers })).status;

/** Restarts it on the same port, because the cookie is named after the port. */
async function restart(server: Server): Promise<Server> {
  await server.term();
  return startServer({ home: server.home, args: ["--port", String(server.port)] });
}

async function contents(directory: string): Promise<Map<string, Buffer>> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
  return new Map(await Promise.all(files.map(async (file) => [file, await readFile(file)] as const)));
}

test("H6 no file in the home ever contains a login code, a cookie or a key, even with an Idempotency-Key", async () => {
  await using server = await startServer();
  const headers = { "idempotency-key": "the-same-one", origin: server.url };
  const { code } = await api(server).post<{ code: string }>("/api/login/codes", {}, headers);
  const key = newLoginKey();
  const login = await api({ ...server, token: "" }).ask("POST", "/api/login", {
    body: { code, key },
    headers,
  });
  expect(login.status).toBe(204);
  const cookie = login.headers.getSetCookie()[0]?.split(";", 1)[0] ?? "";
  expect(await statusOf(server, { headers: { cookie, "x-drover-key": key } })).toBe(200);
  const link = await cli(server, "--json");
  const minted = JSON.parse(link.stdout) as { code: string };
  const unused = new URL(server.login).hash.slice(1);
  const secrets = { code, key, cookie: cookie.split("=")[1] ?? "", minted: minted.code, unused };
  const look = async () => {
    const files = await contents(server.droverHome);
    expect([...files.keys()].map((file) => file.slice(server.droverHome.length + 1))).toContain("drover.db");
    for (const [file, bytes] of files) {
      for (const [name, secret] of Object.entries(secrets)) {
        expect(secret.length, name).toBeGreaterThan(20);
        expect(bytes.includes(secret), `the ${name} in ${file}`).toBe(false);
      }
    }
  };
  // First the write-ahead log while the server runs, then the database after the log is merged into it.
  await look();
  await server.term();
  await look();
});

test("H6 replacing the token ends every login; a restart alone ends none", async () => {
  await using home = await tempDir("home-");
  const first = await startServer({ home: home.path });
  const login = await logInByToken(first);
  const token = join(first.droverHome, "token");
  const old = await readFile(token, "utf8");
  const second = await restart(first);
  expect(await statusOf(second, login)).toBe(200);
  await rm(token);
  const third = await restart(second);
  expect(await statusOf(third, login)).toBe(401);
  expect(await api(third).get("/api/logins")).toEqual({ logins: [] });
  // Putting the old token back does not bring its logins back.
  await writeFile(token, old);
  await using last = await restart(third);
  expect(last.token).toBe(first.token);
  expect(await statusOf(last, login)).toBe(401);
});

test("H6 a login that has not been used for thirty days is ended when the server starts", async () => {
  await using home = await tempDir("home-");
  const before = await startServer({ home: home.path });
  const [old, young] = [await logInByToken(before), await logInByToken(before)];
  await before.term();
  const db = new DatabaseSync(join(before.droverHome, "drover.db"));
  const daysAgo = (days: number) => new Date(Date.now() - days * 24 * 3_600_000).toISOString();
  const [first, second] = db.prepare("SELECT id FROM logins ORDER BY rowid").all();
  const use = db.prepare("UPDATE logins SET last_used_at = ? WHERE id = ?");
  use.run(daysAgo(31), String(first?.["id"]));
  use.run(daysAgo(29), String(second?.["id"]));
  db.close();
  await using server = await restart(before);
  expect(await statusOf(server, old)).toBe(401);
  expect(await statusOf(server, young)).toBe(200);
  const { logins } = await api(server).get<{ logins: { lastUsedAt: string }[] }>("/api/logins");
  expect(logins.map(({ lastUsedAt }) => lastUsedAt > daysAgo(1))).toEqual([true]);
});

test("H6 drover login ls lists logins, and drover login revoke ends one at once, with its open connections", async () => {
  await using server = await startServer();
  const logins = await Promise.all([1, 2, 3].map(() => logInByToken(server)));
  const [gone, ...kept] = logins as [Login, ...Login[]];
  const page = { url: server.url, token: "" };
  const { cookie } = gone.headers;
  await using socket = await openSocket(page, { cookie, origin: server.url }, gone.protocols);
  const answer = await fetch(new URL("/api/logins", server.url), { headers: gone.headers });
  const listed = (await answer.json()) as { logins: { id: string; current?: true }[] };
  const id = listed.logins.find(({ current }) => current)?.id ?? "";

  const shown = await cli(server, "login", "ls");
  expect(shown.stdout.split("\n")).toHaveLength(5);
  expect(shown.stdout).toContain(id);
  expect(shown.stdout).toMatch(/ID +LAST USED +LOGGED IN +BROWSER/);
  expect(JSON.parse((await cli(server, "login", "--json")).stdout)).toMatchObject({ logins: [{}, {}, {}] });

  expect(await cli(server, "login", "revoke", id)).toMatchObject({ code: 0, stderr: `Revoked ${id}.\n` });
  expect(await socket.closed).toMatchObject({ code: 1008 });
  expect(await statusOf(server, gone)).toBe(401);
  for (const login of kept) expect(await statusOf(server, login)).toBe(200);
  expect(await cli(server, "login", "revoke", id)).toMatchObject({ code: 5 });

  expect(await cli(server, "login", "revoke", "--all", "--json")).toMatchObject({
    stdout: '{"revoked":2}\n',
  });
  for (const login of kept) expect(await statusOf(server, login)).toBe(401);
  expect((await cli(server, "login", "ls")).stderr).toContain("No browser is logged in");
});

test("drover login revoke requires either an id or --all", async () => {
  await using server = await startServer();
  const login = await logInByToken(server);
  for (const args of [[], ["lgn_x", "--all"], ["everything"]]) {
    const refused = await cli(server, "login", "revoke", ...args);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain("drover login ls");
  }
  expect(await statusOf(server, login)).toBe(200);
});

test("H6 a home from the previous version keeps everything except its logins, which had no key", async () => {
  await using home = await tempDir("home-");
  const cookie = "a cookie of that version";
  let id: unknown;
  {
    // As that version wrote it: its table of logins, no feed, and its version number.
    using db = await restoreHome(4, home.path);
    db.exec(`DROP TABLE logins; CREATE TABLE logins (hash TEXT PRIMARY KEY) STRICT;
      DROP TABLE commits; DROP TABLE cursors; DROP TABLE feed; PRAGMA user_version = 2`);
    db.prepare("INSERT INTO logins VALUES (?)").run(createHash("sha256").update(cookie).digest("hex"));
    id = db.prepare("SELECT id FROM sessions WHERE name = 'finished'").get()?.["id"];
  }
  await using server = await startServer({ home: home.path });
  const headers = { cookie: `drover_${server.port}=${cookie}`, "x-drover-key": newLoginKey() };
  expect(await statusOf(server, { headers })).toBe(401);
  expect(await api(server).get("/api/logins")).toEqual({ logins: [] });
  expect(await api(server).get(`/api/sessions/${id}`)).toMatchObject({ id, name: "finished" });
  expect(await statusOf(server, await logInByToken(server))).toBe(200);
  const copies = (await readdir(server.droverHome)).filter((name) => name.startsWith("drover.db.v2-"));
  expect(copies).toHaveLength(1);
});
