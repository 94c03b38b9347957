// A secret goes to the processes of its own account, and nowhere else.
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import type { Account, FoundLogins } from "@drover/core";
import { expect, test } from "vitest";
import { environmentOf, processesOf } from "../kit/processes.ts";
import { until } from "../kit/until.ts";
import { demoAgents } from "./account-rig.ts";
import { drover, openRig, openSession, processesOfSession, type Rig } from "./support.ts";

const canary = "canary-sk-ant-oat01/+zW9";
const inVariable = "canary-of-a-variable?&=";
const forms = [canary, inVariable].flatMap((secret) => [
  secret,
  encodeURIComponent(secret),
  Buffer.from(secret).toString("base64").replace(/=+$/, ""),
]);
const isIn = (text: string): boolean => forms.some((form) => text.includes(form));

/** Every file below a directory whose bytes contain a secret. */
async function filesWithSecrets(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const found: string[] = [];
  for (const entry of entries.filter((one) => one.isFile())) {
    const path = join(entry.parentPath, entry.name);
    if (isIn(await readFile(path, "latin1"))) found.push(relative(directory, path));
  }
  return found.toSorted();
}

/** Fails with its own login in its last words, as some programs do. */
const leaky = {
  ...{ name: "Leaky", command: "/bin/sh", account: { env: "LEAKY_TOKEN", group: "leaky" } },
  args: ["-c", 'echo "invalid key: $LEAKY_TOKEN" >&2; exit 3'],
};

test("K7 a canary secret is nowhere but in the vault and in its own account's processes", async () => {
  await using rig = await openRig({
    agents: {
      ...demoAgents("mine", "other"),
      leaky: { ...leaky, driver: "acp" },
      // It gets its prompt with its start, so it fails in its turn.
      talker: { ...leaky, driver: "text" },
    },
    config: { log: { level: "debug" }, supervision: { attempts: 0 } },
  });
  const answers: string[] = [];
  const ask = async (...request: Parameters<Rig["client"]["ask"]>) => {
    const { body } = await rig.client.ask(...request);
    answers.push(JSON.stringify(body));
    return body;
  };
  const mine = (await ask("POST", "/api/accounts", {
    body: { agent: "mine", token: canary },
  })) as unknown as Account;
  await ask("POST", "/api/accounts", { body: { agent: "mine", token: canary } });
  await ask("POST", "/api/accounts", { body: { agent: "mine", token: [canary] } });
  await ask("POST", "/api/accounts", { body: { agent: "leaky", env: { LEAKY_TOKEN: inVariable } } });

  await using own = await openSession(rig, "mine");
  await using foreign = await openSession(rig, "other");
  await using failing = await openSession(rig, "leaky");
  expect((await own.turn("say hello")).ok).toBe(true);
  await own.turn("fail wrong key");
  await own.turn("limit 3600");
  await rig.client.post(`/api/accounts/${mine.id}/clear`, {});
  await Promise.all([own.send("hang"), foreign.send("hang")]);
  await using talking = await openSession(rig, "talker");
  for (const session of [failing, talking]) {
    const { error } = await session.turn("hello");
    expect(JSON.stringify(error)).toContain("invalid key: [redacted]");
  }

  const marked = await until(() => {
    const found = processesOfSession(rig, own.id).filter(({ pid }) =>
      isIn([...(environmentOf(pid)?.values() ?? [])].join("\0")),
    );
    return found.length > 0 && found;
  });
  const ids = new Set(marked.map(({ pid }) => pid));
  for (const { pid, command } of processesOf(rig.home)) {
    expect(isIn(command), command).toBe(false);
    const isOwn = processesOfSession(rig, own.id).some((one) => one.pid === pid);
    if (!isOwn)
      expect([ids.has(pid), isIn([...(environmentOf(pid)?.values() ?? [])].join("\0"))]).toEqual([
        false,
        false,
      ]);
  }

  for (const path of [
    "/api/accounts",
    `/api/accounts/${mine.id}`,
    "/api/sessions",
    "/api/openapi.json",
    "/api/config",
    "/api/doctor",
    "/api/agents",
    "/metrics",
  ])
    await ask("GET", path);
  for (const args of [["doctor"], ["account", "ls"], ["account", "show", mine.id], ["ls"], ["config"]])
    answers.push(JSON.stringify(await drover(rig.home, ...args)));
  for (const session of [own, foreign, failing, talking])
    answers.push(JSON.stringify(session.follower.events));
  expect(answers.filter(isIn)).toEqual([]);

  const { droverHome } = rig.server;
  const plain = join(rig.home, "plain");
  const complete = join(rig.home, "complete");
  expect((await drover(rig.home, "backup", plain)).code).toBe(0);
  expect((await drover(rig.home, "backup", complete, "--secrets")).code).toBe(0);
  // What an agent wrote stays as it wrote it, in the raw log of its own session.
  const isSaid = (path: string) =>
    [failing, talking].some(({ id }) => path.startsWith(join("sessions", id, "runs")));
  const inVault = /^accounts\/acc_[0-9a-z]{26}\/secret\.json$/;
  const outside = async (directory: string) =>
    (await filesWithSecrets(directory)).filter((path) => !isSaid(path));
  expect((await outside(droverHome)).map((path) => inVault.test(path))).toEqual([true, true]);
  expect(await outside(plain)).toEqual([]);
  expect((await outside(complete)).map((path) => inVault.test(path))).toEqual([true, true]);
  for (const session of [own, foreign]) await session.post("interrupt");
  expect((await rig.client.ask("DELETE", `/api/accounts/${mine.id}`)).status).toBe(200);
  expect(await outside(droverHome)).toHaveLength(1);
});

test("K9 a login that an agent already has is found and used, and its file stays as it is", async () => {
  const oauth = { claudeAiOauth: { accessToken: "made-up", refreshToken: "made-up-too", expiresAt: null } };
  const print = (name: string) => ({
    ...{ driver: "text", command: "/bin/sh", args: ["-c", `echo "[$${name}] $HOME"`] },
  });
  await using rig = await openRig({
    agents: { "claude-print": print("ANTHROPIC_API_KEY"), codex: print("CODEX_API_KEY") },
    env: { ANTHROPIC_API_KEY: "of-the-server", CODEX_API_KEY: "of-the-server" },
  });
  const files = {
    claude: join(rig.home, ".claude", ".credentials.json"),
    codex: join(rig.home, ".codex", "auth.json"),
  };
  expect((await rig.client.post<FoundLogins>("/api/accounts/discover", {})).found).toEqual([]);
  for (const path of Object.values(files)) {
    await mkdir(join(path, ".."));
    await writeFile(path, ` ${JSON.stringify(oauth)}\n`);
  }
  const before = await Promise.all(Object.values(files).map((path) => readFile(path, "latin1")));
  const listed = await drover(rig.home, "account", "discover", "codex", "--json");
  expect(JSON.parse(listed.stdout)).toEqual({
    found: [{ group: "codex", agent: "codex", path: files.codex }],
  });
  const discovered = await drover(rig.home, "account", "discover", "--add");
  expect(discovered).toMatchObject({
    code: 0,
    stderr: expect.stringMatching(/Added the account claude .*Added the account codex/s),
  });
  const { found } = await rig.client.post<FoundLogins>("/api/accounts/discover", {});
  expect(found.map(({ group, known }) => [group, known?.slice(0, 4)])).toEqual([
    ["claude", "acc_"],
    ["codex", "acc_"],
  ]);
  for (const agent of ["claude-print", "codex"]) {
    await using session = await openSession(rig, agent);
    await session.turn("hello");
    const said = (await session.items()).findLast(({ kind }) => kind === "text")?.text;
    expect([agent, said?.trim()]).toEqual([agent, `[] ${rig.home}`]);
  }
  expect(await Promise.all(Object.values(files).map((path) => readFile(path, "latin1")))).toEqual(before);
  const elsewhere = { agent: "codex", path: files.claude };
  expect(await rig.client.ask("POST", "/api/accounts", { body: elsewhere })).toMatchObject({
    status: 400,
    body: { code: "BAD_REQUEST", issues: [{ path: "path" }] },
  });
});
