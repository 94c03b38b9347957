// The server dies at all kinds of moments, and nothing it has announced or accepted is lost or done twice.
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as moment } from "node:timers/promises";
import type { Receipt, SessionEvent } from "@drover/core";
import { expect, test } from "vitest";
import { follow, ofType } from "../kit/events.ts";
import { bearer } from "../kit/http.ts";
import { usually } from "../kit/soak.ts";
import { sseBlocks } from "../kit/sse.ts";
import { until } from "../kit/until.ts";
import { sharedRig } from "./shared-rig.ts";
import {
  type Conversation,
  demoProgram,
  kitAgent,
  openSession,
  type Rig,
  saidIn,
  seeded,
  teed,
} from "./support.ts";

const rig = sharedRig((home) => ({
  agents: {
    teed: teed(join(home, "teed"), demoProgram),
    echo: kitAgent("echo.mjs", "--copy", join(home, "echoed")),
  },
}));

const sha256 = (bytes: Uint8Array | string) => createHash("sha256").update(bytes).digest("hex");

const end = async (how: "kill -9" | "TERM") => {
  if (how === "kill -9") return rig.server.kill9();
  expect(await rig.server.term()).toEqual({ code: 0, signal: null });
};

/** Approves the session's requests through the current server, one more each time `allowed` grows. */
async function approveAll(session: Conversation, allowed: () => number, isOver: () => boolean) {
  const approved = new Set<string>();
  while (!isOver()) {
    const [open] = await session.openInteractions().catch(() => []);
    if (open && (approved.size < allowed() || approved.has(open.id))) {
      approved.add(open.id);
      await session.post("approve", { toolCallId: open.toolCallId }).catch(() => undefined);
    }
    // Each check is a request, and the server has to store a turn at the same time.
    await moment(25);
  }
  return approved.size;
}

test("X8 S1 A5 a turn survives a series of kill -9 and TERM: no word is lost, no command repeated, and it ends once", {
  timeout: 240_000,
}, async () => {
  const random = seeded(20);
  const ends = Array.from({ length: usually(4, { inSoak: 25 }) }, (_, n) =>
    n % 5 === 2 ? ("TERM" as const) : ("kill -9" as const),
  );
  await using session = await openSession(rig, "teed");
  const script = ["run echo one >> out", "write two.txt two", "run echo three >> out"];
  const count = usually(100, { inSoak: 500 });
  const words = `stream ${count}`;
  const { messageId } = await session.send(
    ["slow 5", words, script[0], words, script[1], words, script[2], words].join("\n"),
  );

  let ended = 0;
  let isOver = false;
  // The last answer is given after the last restart, so the turn spans all of them, however slow a start is.
  const approving = approveAll(
    session,
    () => [2, Math.floor(ends.length / 2), ends.length].filter((after) => ended >= after).length,
    () => isOver,
  );
  for (const how of ends) {
    await until(() => session.follower.connections > ended, { what: "the client has reconnected" });
    await moment(random() * 250);
    await end(how);
    await rig.start();
    ended++;
  }
  expect(session.all("done").length, "the turn spans all restarts").toBe(0);
  const done = await session.done(messageId, { deadline: 60_000 });
  isOver = true;
  expect(await approving).toBe(3);

  expect(done).toMatchObject({ reason: "end_turn", ok: true, partial: false });
  const copy = await readFile(join(rig.home, "teed"));
  const said = saidIn(copy.toString("utf8"));
  expect(said.match(/word\d+/g)?.length).toBe(4 * count);
  expect(session.follower.text()).toBe(said);
  // Every `from` was the previous number plus one, or the follower itself would have failed.
  expect(session.follower.connections).toBeGreaterThan(ends.length);
  expect(session.follower.snapshots).toEqual([]);
  const actions = await readFile(join(rig.home, "work", ".drover", "demo.log"), "utf8");
  expect(actions.trimEnd().split("\n").length).toBe(3);
  expect(await readFile(join(rig.home, "work", "out"), "utf8")).toBe("one\nthree\n");
  expect(session.all("done").length).toBe(1);

  await using late = follow(() => rig.server, session.id, { after: 0 });
  await late.until(ofType("done"));
  expect(late.text()).toBe(said);
  const log = await fetch(new URL(session.path("/log"), rig.server.url), { headers: bearer(rig.server) });
  expect(sha256(await log.bytes())).toBe(sha256(copy));
  expect(log.headers.get("x-log-bytes")).toBe(String(copy.length));
});

/** Reads live frames up to the `count`th and kills the server at that moment. */
async function killAtFrame(rig: Rig, session: Conversation, count: number): Promise<SessionEvent> {
  const { server } = rig;
  const response = await fetch(new URL(session.path("/events"), server.url), {
    headers: bearer(server),
    signal: AbortSignal.timeout(20_000),
  });
  let left = count;
  const blocks = sseBlocks(response.body as ReadableStream<Uint8Array>);
  for (;;) {
    const { value, done } = await blocks.next();
    if (done) throw new Error("The stream ended too early");
    const frame = value.data && (JSON.parse(value.data) as SessionEvent | { type: "snapshot" });
    if (!frame || frame.type === "snapshot" || --left > 0) continue;
    process.kill(server.pid, "SIGKILL");
    await server.exited;
    // The connection broke while it was read, as intended.
    await blocks.return(undefined).catch(() => undefined);
    return frame;
  }
}

test("S12 D5 a frame that a client has received is always in the store, even if the server is killed at that moment", {
  timeout: 240_000,
}, async () => {
  const random = seeded(50);
  await using session = await openSession(rig, "demo");
  await session.send("slow 1\nstream 1000000");
  let last = 0;
  for (let round = 0; round < usually(2, { inSoak: 50 }); round++) {
    const seen = await killAtFrame(rig, session, 1 + Math.floor(random() * 5));
    expect(seen.from, "no number is used twice").toBeGreaterThan(last);
    last = seen.seq;
    await rig.start();
    const stored = await firstAfter(rig, session, seen.from - 1);
    expect(stored.from).toBe(seen.from);
    expect(stored.seq).toBeGreaterThanOrEqual(seen.seq);
    expect(wordsOf(stored), "the stored frame has the same text").toContain(wordsOf(seen));
  }
  await session.post("stop");
  await until(async () => (await session.get()).state === "stopped");
});

/** The text of a frame and its item; once the item is closed, a single frame has all of it. */
function wordsOf(event: SessionEvent): string {
  if (event.type === "item") return `${event.item.id}: ${event.item.text}`;
  return event.type === "text_delta" ? event.text : JSON.stringify(event);
}

async function firstAfter(rig: Rig, session: Conversation, cursor: number): Promise<SessionEvent> {
  await using replay = follow(() => rig.server, session.id, { after: cursor });
  const first = await replay.until<SessionEvent>(() => true, { what: `${cursor + 1} is in the store` });
  expect(replay.snapshots).toEqual([]);
  return first;
}

/** Posts a message while the server is about to die; without a receipt, the client repeats it with the same id. */
async function sendInto(rig: Rig, session: Conversation, how: { content: string; end: () => Promise<void> }) {
  const sending = session.send(how.content, how.content).catch(() => undefined);
  const [receipt] = await Promise.all([sending, how.end()]);
  await rig.start();
  const again: Receipt = await session.send(how.content, how.content);
  if (receipt) expect(again).toEqual(receipt);
  return again;
}

test.for(["kill -9", "TERM"] as const)(
  "L12 a prompt accepted just before %s reaches the agent once or its turn ends as uncertain, and it never arrives twice",
  { timeout: 240_000 },
  async (how) => {
    const random = seeded(how.length);
    const reasons: string[] = [];
    // The first message of a session starts its agent and the second finds it running; either can go wrong.
    for (let round = 0; round < usually(2, { inSoak: 6 }); round++) {
      await using session = await openSession(rig, "echo");
      for (const spread of [400, 12]) {
        const content = `prompt ${round} within ${spread} ms of ${how}.`;
        const delay = random() * spread;
        const receipt = await sendInto(rig, session, {
          content,
          end: () => moment(delay).then(() => end(how)),
        });
        const done = await session.done(receipt.messageId);
        reasons.push(done.reason);
        const output = await readFile(join(rig.home, "echoed"), "utf8").catch(() => "");
        const arrivals = saidIn(output).split(content).length - 1;
        expect([done.reason, arrivals], `after ${Math.round(delay)} ms`).toSatisfy(
          ([reason, count]) =>
            (reason === "end_turn" && count === 1) || (reason === "uncertain" && count <= 1),
        );
      }
      expect(session.all("done").length).toBe(2);
      expect(session.all("message").length).toBe(2);
      await session.post("stop");
    }
    expect(reasons).toContain("end_turn");
  },
);
