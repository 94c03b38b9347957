// All command lines at once, each behind a program that copies its output: what remains of their turns when the server or
// an agent is killed.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { statSync } from "node:fs";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Session } from "@drover/core";
import { shippedPresets } from "../../packages/server/src/drivers/presets.ts";
import { Conversation, openRig, processesOfSession, type Rig, teed } from "../e2e/support.ts";
import { until } from "../kit/until.ts";
import { startModel } from "../models/model.ts";
import { scriptedPrompt } from "../models/script.ts";
import { parentOf, release, started, waiting } from "./command-line-turns.ts";
import { deadProxy } from "./direct.ts";
import type { Group } from "./groups.ts";
import { programs } from "./programs.ts";
import { commandLines } from "./record-agents.ts";
import { nowhere, patience } from "./stage.ts";
import { subjects } from "./subjects.ts";

const names = ["codex", "gemini", "opencode", "claude-print"] as const;
type Name = (typeof names)[number];

/** Codex writes a reply as one line. Its copier forwards this many bytes and holds back the rest until it is released. */
const torn = "codex";
const heldAt = 100_000;
const long = "The robin sings. ".repeat(20_000).trim();

interface Talk {
  name: Name;
  cwd: string;
  session: Conversation;
}

interface Together extends AsyncDisposable {
  rig: Rig;
  talks: Talk[];
}

const copyOf = (home: string, name: Name) => join(home, `${name}.copy`);
const releaseOf = (home: string) => join(home, "release");

async function entryOf(name: Name, place: { home: string; installed: string; baseUrl: string }) {
  const { home, installed, baseUrl } = place;
  const subject = subjects.find((one) => one.name === name);
  const preset = shippedPresets("").find(({ agent }) => agent === name);
  const line = commandLines[name];
  assert.ok(subject?.home && preset && line);
  const { command, args } = programs[line.program](installed);
  const own = { command, args: [...args, ...preset.args] };
  const hold = name === torn ? ["--hold", String(heldAt), "--release", releaseOf(home)] : [];
  const { command: copier, args: copying } = teed(copyOf(home, name), own, ...hold);
  return { command: copier, args: copying, ...(await subject.home({ home, baseUrl })) };
}

async function open(installed: string): Promise<Together> {
  await using opened = new AsyncDisposableStack();
  const models = await Promise.all(
    names.map(async (name) => {
      const { dialect } = commandLines[name] ?? {};
      assert.ok(dialect);
      return opened.use(await startModel(dialect));
    }),
  );
  const rig = opened.use(
    await openRig(async (home) => {
      const entries = names.map(async (name, index) => {
        const baseUrl = models[index]?.url ?? nowhere;
        return [name, await entryOf(name, { home, installed, baseUrl })];
      });
      return { agents: Object.fromEntries(await Promise.all(entries)), env: deadProxy(nowhere) };
    }),
  );
  const talks: Talk[] = [];
  for (const name of names) {
    const cwd = join(rig.home, "work", name);
    await mkdir(cwd);
    const fields = { agent: name, cwd, permissionMode: "never" };
    const { id } = await rig.client.post<Session>("/api/sessions", fields);
    talks.push({ name, cwd, session: opened.use(new Conversation(rig, id)) });
  }
  const disposables = opened.move();
  return { rig, talks, [Symbol.asyncDispose]: () => disposables.disposeAsync() };
}

const hashOf = (bytes: string | Buffer) => createHash("sha256").update(bytes).digest("hex");

/** The raw log has exactly the bytes that the agent wrote. */
async function assertLogComplete(rig: Rig, { name, session }: Talk): Promise<void> {
  const { body } = await rig.client.ask("GET", session.path("/log"));
  assert.equal(hashOf(String(body)), hashOf(await readFile(copyOf(rig.home, name))), name);
}

const begins = { say: "I begin.", run: waiting };
const ends = (name: Name) => ({ say: name === torn ? long : "Done." });

const copied = ({ home }: Rig): number => statSync(copyOf(home, torn), { throwIfNoEntry: false })?.size ?? 0;

/** Waits until its copier has forwarded half a line. */
const untilTorn = (rig: Rig, before: number) =>
  until(() => copied(rig) === before + heldAt, {
    ...patience,
    what: "half a line is written",
  });

async function serverKilled({ rig, talks }: Together): Promise<void> {
  const running = await Promise.all(
    talks.map(async (talk) => {
      const { messageId } = await talk.session.send(scriptedPrompt(begins, ends(talk.name)));
      await started(talk);
      return { ...talk, messageId, pid: (await talk.session.get()).connection.pid };
    }),
  );
  for (const talk of running) if (talk.name === torn) await release(talk);
  await untilTorn(rig, 0);
  await rig.server.kill9();
  await rig.start();
  for (const { name, session, pid } of running) {
    assert.ok(pid);
    const isFound = async () => (await session.get()).connection.pid === pid;
    await until(isFound, { ...patience, what: `${name} is found again` });
  }
  await writeFile(releaseOf(rig.home), "");
  for (const talk of running) await release(talk);
  for (const talk of running) {
    const { name, session, messageId } = talk;
    const { ok, reason, partial } = await session.done(messageId, patience);
    assert.deepEqual([name, ok, reason, partial], [name, true, "end_turn", false]);
    assert.ok(session.follower.text().endsWith(ends(name).say), name);
    assert.equal(session.all("done").length, 1);
    assert.equal(session.all("tool_result").length, 1);
    assert.equal(await readFile(join(talk.cwd, "notes"), "utf8"), "x\n");
    await assertLogComplete(rig, talk);
  }
}

async function agentKilled({ rig, talks }: Together): Promise<void> {
  const talk = talks.find(({ name }) => name === torn);
  assert.ok(talk);
  const { session } = talk;
  await rm(releaseOf(rig.home), { force: true });
  const before = copied(rig);
  const textLengthBefore = session.follower.text().length;
  const { messageId } = await session.send(scriptedPrompt({ say: "I begin.", run: "true" }, { say: long }));
  await untilTorn(rig, before);
  const { pid: copier } = (await session.get()).connection;
  const agent = processesOfSession(rig, session.id).find(({ pid }) => parentOf(pid) === copier);
  assert.ok(agent);
  process.kill(agent.pid, "SIGKILL");
  const { ok, reason, partial, error } = await session.done(messageId, patience);
  assert.deepEqual([ok, reason, partial, error?.code], [false, "crashed", true, "AGENT_CRASHED"]);
  assert.match(error?.message ?? "", /SIGKILL/);
  assert.equal(
    session.follower.text().slice(textLengthBefore),
    "I begin.",
    "its text is kept, but not half a line",
  );
  assert.deepEqual(
    session.all("notice").filter(({ code }) => code === "BAD_LINE"),
    [],
  );
  await assertLogComplete(rig, talk);
  await writeFile(releaseOf(rig.home), "");
  const next = await session.turn(scriptedPrompt({ say: "Still here." }), patience);
  assert.equal(next.reason, "end_turn");
}

export function togetherGroup(installed: string): Group {
  let together: Together | undefined;
  const check = (title: string, play: (together: Together) => Promise<void>) => ({
    title,
    run: async () => {
      together ??= await open(installed);
      await play(together);
    },
  });
  return {
    checks: [
      check(
        "X8 kill -9 of the server while codex, gemini, opencode and claude-print run, one of them mid-line: " +
          "all are found again, complete to the byte",
        serverKilled,
      ),
      check(
        "S15 kill -9 of codex mid-line: the turn has crashed, and its text and every byte of its output are kept",
        agentKilled,
      ),
    ],
    close: async () => together?.[Symbol.asyncDispose](),
  };
}
