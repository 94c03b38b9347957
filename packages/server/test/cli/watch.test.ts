import { describe, expect, test } from "vitest";
import { anApproval, done, runningTurn, turnId, turnOf } from "./fixtures.ts";
import { suite } from "./suite.ts";

const t = suite();

describe("wait", () => {
  test("of an idle session reports how its last turn ended, even long ago", async () => {
    const error = { code: "AGENT_CRASHED", message: "Demo ended with exit code 3.", retry: "same" };
    t.server.append(...turnOf("a"), done({ ok: false, reason: "crashed", error }));
    for (let i = 0; i < 100; i++) t.server.append({ type: "session_status", state: "idle" });
    const failed = t.drover(["wait", "brave-otter"]);
    expect(await failed.ended).toBe(1);
    expect(failed.stderr()).toBe("✗ Demo ended with exit code 3.\n");
    t.server.append(...turnOf("b"), done());
    const cli = t.drover(["wait", "brave-otter", "--json"]);
    expect(await cli.ended).toBe(0);
    expect(JSON.parse(cli.stdout())).toMatchObject({ type: "done", ok: true });
  });

  test("of a session without turns succeeds", async () => {
    expect(await t.drover(["wait", "brave-otter"]).ended).toBe(0);
  });

  test("ends after the last queued turn, and prints a frame per line with --json", async () => {
    t.server.append(...turnOf("a"));
    t.server.become({ state: "running", turn: runningTurn, queued: 1 });
    const cli = t.drover(["wait", "brave-otter", "--json"]);
    await t.streaming();
    t.server.append(done({ ok: false, reason: "error" }));
    await t.server.wasAsked("GET", `/api/sessions/${t.server.session.id}`);
    t.server.append({ type: "queue_update", paused: false, messages: [] });
    t.server.become({ state: "idle" });
    t.server.append(...turnOf("b"), done());
    expect(await cli.ended).toBe(0);
    const types = cli.stdout().trimEnd().split("\n");
    expect(JSON.parse(types.at(-1) ?? "")).toMatchObject({ type: "done" });
  });

  test("continues across a server restart", async () => {
    t.server.append(...turnOf("a"));
    t.server.become({ state: "running", turn: runningTurn });
    const cli = t.drover(["wait", "brave-otter"]);
    await t.streaming();
    await t.server.kill();
    await cli.says("Lost the server");
    t.server.become({ state: "idle" });
    t.server.append(done());
    await t.server.listen();
    expect(await cli.ended).toBe(0);
  });

  test("prints the answering command once and waits; --no-wait is exit 4", async () => {
    t.server.append(...turnOf("a"));
    t.server.interactions = [anApproval()];
    t.server.become({ state: "waiting_for_input", turn: runningTurn, openInteractions: 1 });
    expect(await t.drover(["wait", "brave-otter", "--no-wait"]).ended).toBe(4);

    const cli = t.drover(["wait", "brave-otter"]);
    await cli.says(`drover permit allow ${anApproval().id}`);
    await t.streaming();
    t.server.interactions = [];
    t.server.become({ state: "idle" });
    t.server.append(done());
    expect(await cli.ended).toBe(0);
    expect(cli.stderr().match(/permit allow/g)).toHaveLength(1);
  });

  test("--timeout is exit 124", async () => {
    t.server.append(...turnOf("a"));
    t.server.become({ state: "running", turn: runningTurn });
    expect(await t.drover(["wait", "brave-otter", "--timeout", "50ms"]).ended).toBe(124);
  });

  test("of a crashed session is exit 1, and says why", async () => {
    t.server.become({ state: "crashed", reason: { code: "AGENT_CRASHED", message: "It ended five times." } });
    const cli = t.drover(["wait", "brave-otter"]);
    expect(await cli.ended).toBe(1);
    expect(cli.stderr()).toBe("✗ It ended five times.\n");
  });

  test("of a session with a paused queue names the command that continues it", async () => {
    t.server.append(...turnOf("a"), done());
    t.server.become({ queued: 2, queuePaused: true });
    const cli = t.drover(["wait", "brave-otter"]);
    expect(await cli.ended).toBe(0);
    expect(cli.stderr()).toContain("paused with 2 messages in it. `drover resume brave-otter`");
  });
});

describe("logs", () => {
  const item = (seq: number, fields: Record<string, unknown>) => ({
    ...{ id: `itm_${seq}`, turnId, status: "complete", at: "", seq },
    ...fields,
  });

  test("prints all pages, oldest first: the agent's text on standard output", async () => {
    t.server.routes["GET /api/sessions/:id/messages"] = ({ path }) => {
      const isFirst = !path.includes("before=");
      const newer = [item(8, { kind: "text", text: "Done." })];
      const older = [
        item(1, { kind: "user", text: "do it", by: "cli" }),
        item(2, { kind: "text", text: "Well." }),
      ];
      return { body: isFirst ? { items: newer, before: 8 } : { items: older } };
    };
    const cli = t.drover(["logs", "brave-otter"]);
    expect(await cli.ended).toBe(0);
    expect(cli.stdout()).toBe("Well.\nDone.\n");
    expect(cli.stderr()).toContain("› do it");
    const json = t.drover(["logs", "brave-otter", "--json"]);
    await json.ended;
    expect(JSON.parse(json.stdout()).items.map(({ seq }: { seq: number }) => seq)).toEqual([1, 2, 8]);
  });

  test("-f starts at the beginning and continues until Ctrl-C, across a restart", async () => {
    t.server.append(...turnOf("one "));
    const cli = t.drover(["logs", "brave-otter", "-f", "--json"]);
    await cli.says("one ");
    await t.server.kill();
    t.server.append({ type: "text_delta", turnId, itemId: "itm_1", text: "two" });
    await t.server.listen();
    await cli.says("two");
    cli.interrupt();
    expect(await cli.ended).toBe(130);
    const seqs = cli
      .stdout()
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line).seq);
    expect(seqs).toEqual([1, 2, 3, 4]);
  });

  test("--raw prints the agent's bytes unchanged, --stream selects one stream, -f continues", async () => {
    const bytes = Buffer.from([0xff, 0x00, 0x0a, 0x41]);
    let more = "";
    t.server.routes["GET /api/sessions/:id/log"] = ({ path }) => {
      const offset = Number(new URL(path, "http://x").searchParams.get("offset"));
      return { body: Buffer.concat([bytes, Buffer.from(more)]).subarray(offset) };
    };
    const cli = t.drover(["logs", "brave-otter", "--raw", "-f", "--stream", "stderr"]);
    await t.streaming();
    more = "more";
    t.server.append({ type: "notice", code: "X", message: "x", facts: {} });
    await cli.says("more");
    cli.interrupt();
    expect(await cli.ended).toBe(130);
    expect(cli.stdout()).toBe(`${bytes.toString("utf8")}more`);
    expect((await t.server.wasAsked("GET", /log\?/)).path).toContain("stream=stderr");
  });
});

describe("send --wait", () => {
  const queued = { applied: "queued", queuePosition: 1, requested: "queue", messageId: "msg_9" };

  test("shows only its own turn, even if the message is queued first", async () => {
    t.server.append(...turnOf("other "));
    t.server.routes["POST /api/sessions/:id/messages"] = () => ({
      status: 202,
      body: { ...queued, sessionId: t.server.session.id, cursor: 3 },
    });
    const cli = t.drover(["send", "brave-otter", "next", "--wait"]);
    await t.streaming();
    t.server.append(
      { type: "queue_update", paused: false, messages: [{ messageId: "msg_9", content: "next" }] },
      { type: "text_delta", turnId, itemId: "itm_1", text: "words" },
      done(),
      { type: "queue_update", paused: false, messages: [] },
      { type: "turn_start", turnId: "trn_2", messageId: "msg_9", lockedBy: "cli" },
      { type: "text_delta", turnId: "trn_2", itemId: "itm_2", text: "mine" },
      done({ turnId: "trn_2" }),
    );
    expect(await cli.ended).toBe(0);
    expect(cli.stdout()).toBe("mine\n");
  });

  test("is exit 1 when the message is dropped from the queue", async () => {
    t.server.append(...turnOf("other "));
    t.server.routes["POST /api/sessions/:id/messages"] = () => ({
      status: 202,
      body: { ...queued, sessionId: t.server.session.id, cursor: 3 },
    });
    const cli = t.drover(["send", "brave-otter", "next", "--wait"]);
    await t.streaming();
    t.server.append(
      { type: "queue_update", paused: false, messages: [{ messageId: "msg_9", content: "next" }] },
      { type: "queue_update", paused: false, messages: [] },
    );
    expect(await cli.ended).toBe(1);
    expect(cli.stderr()).toContain("dropped from the queue");
  });
});
