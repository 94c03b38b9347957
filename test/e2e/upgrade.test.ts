// A home that an earlier version wrote, with an agent that is still running.
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { SessionEvent, SessionList } from "@drover/core";
import { expect, test } from "vitest";
import { homeAt } from "../../packages/server/src/home.ts";
import { startAgentProcess } from "../../packages/server/src/process/agent-process.ts";
import { agentInput, restoreHome } from "../homes/home.ts";
import { bearer } from "../kit/http.ts";
import { sseBlocks } from "../kit/sse.ts";
import { until } from "../kit/until.ts";
import { Conversation, kitAgent, openRig, type Rig } from "./support.ts";

/**
 * Recorded homes, by the version of their schema: how each names the key of a log, whether its receipts have an age, and
 * which sessions nobody has looked at.
 */
const versions = [
  { version: 4, key: "session", hasAge: false, unread: [] },
  // Turns that ended before the next schema count as seen.
  { version: 8, key: "stream", hasAge: true, unread: [] },
  { version: 11, key: "stream", hasAge: true, unread: ["approved", "finished"] },
  { version: 12, key: "stream", hasAge: true, unread: ["approved", "finished"] },
];
const asks = kitAgent("asks-permission.mjs");

interface Recorded {
  /** Ids by name. */
  readonly ids: Readonly<Record<string, string>>;
  readonly logs: Readonly<Record<string, SessionEvent[]>>;
  readonly feed: readonly number[];
  readonly receipts: Readonly<Record<string, string>>;
  readonly pid: number;
}

/** Restores the recorded home and brings its agent to where the recorded server left it: waiting for an approval. */
async function restore(home: string, { version, key, hasAge }: (typeof versions)[number]): Promise<Recorded> {
  using db = await restoreHome(version, home);
  // Receipts are kept for a day, and the recording is older.
  if (hasAge) db.prepare("UPDATE receipts SET at = ?").run(new Date().toISOString());
  const rows = db.prepare("SELECT key, id, name FROM sessions").all();
  const deleted = db.prepare("SELECT key, id, 'deleted' AS name FROM deleted_sessions").all();
  const all = [...rows, ...deleted] as { key: number; id: string; name: string }[];
  const events = db.prepare(`SELECT data FROM events WHERE ${key} = ? ORDER BY seq`);
  const ids = Object.fromEntries(all.map(({ id, name }) => [name, id]));
  const asking = ids["asking"] ?? "";
  const directory = homeAt(join(home, ".drover")).runDirectory(asking, 1);
  const agent = await startAgentProcess({
    ...{ command: asks.command, args: asks.args, cwd: home, directory, input: "fifo" },
    env: { PATH: process.env["PATH"] ?? "", HOME: home, DROVER_SESSION: asking },
  });
  await agent.write(await agentInput(version, home));
  const output = await until(async () => {
    const text = await readFile(join(directory, "stdout"), "utf8");
    return text.includes("session/request_permission") && text.endsWith("\n") && text;
  });
  agent.detach();
  const { pid, startTime, bootId } = agent.identity;
  const found = { pid, startTime, bootId, position: Buffer.byteLength(output) };
  db.prepare("UPDATE sessions SET runtime = json_patch(runtime, ?) WHERE id = ?").run(
    JSON.stringify({ process: found }),
    asking,
  );
  return {
    ids,
    logs: Object.fromEntries(
      all.map(({ key, name }) => [name, events.all(key).map(({ data }) => JSON.parse(String(data)))]),
    ),
    feed: db
      .prepare("SELECT id FROM feed ORDER BY id")
      .all()
      .map(({ id }) => Number(id)),
    receipts: Object.fromEntries(
      db
        .prepare("SELECT key, answer FROM receipts")
        .all()
        .map(({ key, answer }) => [key, answer]),
    ),
    pid: agent.pid,
  };
}

/** The ids in the feed after the last one that a client has seen. */
async function feedAfter(rig: Rig, cursor: number, count: number): Promise<number[]> {
  const abort = new AbortController();
  const response = await fetch(new URL("/api/events", rig.server.url), {
    headers: { ...bearer(rig.server), "last-event-id": String(cursor) },
    signal: abort.signal,
  });
  const ids: number[] = [];
  for await (const { id } of sseBlocks(response.body as ReadableStream<Uint8Array>)) {
    if (id !== undefined) ids.push(Number(id));
    if (ids.length === count) break;
  }
  abort.abort();
  return ids;
}

test.each(versions)(
  "E3 a home of version $version opens with its agent found again and its logs, receipts and cursors valid",
  async (recording) => {
    let recorded: Recorded | undefined;
    await using rig = await openRig(async (home) => {
      recorded = await restore(home, recording);
      return { agents: { asks, echo: kitAgent("echo.mjs") } };
    });
    const { ids = {}, logs = {}, feed = [], receipts = {}, pid } = recorded ?? {};

    const copies = (await readdir(rig.server.droverHome)).filter((name) =>
      name.startsWith(`drover.db.v${recording.version}-`),
    );
    expect(copies).toHaveLength(1);
    const { sessions } = await rig.client.get<SessionList>("/api/sessions?unread=true");
    expect(sessions.map(({ name }) => name).sort()).toEqual(recording.unread);
    // The agent is still in its turn.
    await using asking = new Conversation(rig, ids["asking"] ?? "");
    await until(async () => (await asking.get()).connection.status === "connected");
    expect(await asking.get()).toMatchObject({ run: 1, queued: 1, state: "waiting_for_input" });
    expect((await asking.get()).connection.pid).toBe(pid);
    const { cwd, workspace } = await asking.get();
    expect(workspace).toEqual({ mode: "local", path: cwd, projectDir: cwd, confined: false });
    const [open] = await asking.openInteractions();
    await asking.post("approve", { toolCallId: open?.toolCallId });
    const [message] = asking.all("message");
    expect(await asking.done(message?.messageId ?? "")).toMatchObject({ ok: true });
    // Queued messages follow in the same process.
    const next = await until(async () => (await asking.openInteractions())[0]);
    await asking.post("approve", { toolCallId: next.toolCallId });
    await until(async () => (await asking.get()).state === "idle");
    expect(await asking.get()).toMatchObject({ run: 1, connection: { pid } });

    for (const [name, id] of Object.entries(ids)) {
      await using session = new Conversation(rig, id);
      const log = logs[name] ?? [];
      await session.follower.until(({ seq }) => seq >= (log.at(-1)?.seq ?? 0));
      expect(session.follower.events.slice(0, log.length), name).toEqual(log);
    }
    await using finished = new Conversation(rig, ids["finished"] ?? "");
    const said = await finished.items();
    expect(said.find(({ kind }) => kind === "text")?.text).toContain("An otter 🦦 said hello. ".repeat(180));

    const cursor = feed[10] ?? 0;
    expect(await feedAfter(rig, cursor, feed.length - 11)).toEqual(feed.slice(11));

    // The same intents get the same answers.
    expect(await asking.send("third", "message-of-asking")).toEqual(
      JSON.parse(receipts[`send:${asking.id}:id:message-of-asking`] ?? ""),
    );
    const approval = { body: { toolCallId: "call-1" }, headers: { "idempotency-key": "approve-first" } };
    const approve = `/api/sessions/${ids["approved"]}/approve`;
    const { status, body } = await rig.client.ask("POST", approve, approval);
    // Earlier versions stored the status, too.
    const stored = receipts["http:approve-first"]?.replace(/^200\n/, "");
    expect(`${status} ${JSON.stringify(body)}`).toBe(`200 ${stored}`);
  },
);
