import { describe, expect, test } from "vitest";
import { anApproval, aQuestion, aSession, done, turnId, turnOf } from "./fake-server.ts";
import { pressUntil, suite } from "./suite.ts";

const t = suite();

const running = { id: turnId, messageId: "msg_1", startedAt: "2026-02-18T14:30:00.000Z" };

/** What the session says of itself; its log's length stays what it is. */
function become(fields: Parameters<typeof aSession>[0]): void {
  t.server.session = aSession({ ...fields, lastSeq: t.server.session.lastSeq });
}

describe("wait", () => {
  test("of a session with nothing to do tells how its last turn ended, however long ago", async () => {
    const error = { code: "AGENT_CRASHED", message: "Demo ended with exit code 3.", retry: "same" };
    t.server.tell(...turnOf("a"), done({ ok: false, reason: "crashed", error }));
    for (let i = 0; i < 100; i++) t.server.tell({ type: "session_status", state: "idle" });
    const failed = t.drover(["wait", "brave-otter"]);
    expect(await failed.ended).toBe(1);
    expect(failed.stderr()).toBe("✗ Demo ended with exit code 3.\n");
    t.server.tell(...turnOf("b"), done());
    const cli = t.drover(["wait", "brave-otter", "--json"]);
    expect(await cli.ended).toBe(0);
    expect(JSON.parse(cli.stdout())).toMatchObject({ type: "done", ok: true });
  });

  test("of a session that never had a turn is done", async () => {
    expect(await t.drover(["wait", "brave-otter"]).ended).toBe(0);
  });

  test("ends when the last queued turn has ended, with a frame a line for --json", async () => {
    t.server.tell(...turnOf("a"));
    become({ state: "running", turn: running, queued: 1 });
    const cli = t.drover(["wait", "brave-otter", "--json"]);
    await t.streaming();
    t.server.tell(done({ ok: false, reason: "error" }));
    await t.server.wasAsked("GET", `/api/sessions/${t.server.session.id}`);
    t.server.tell({ type: "queue_update", paused: false, messages: [] });
    become({ state: "idle" });
    t.server.tell(...turnOf("b"), done());
    expect(await cli.ended).toBe(0);
    const types = cli.stdout().trimEnd().split("\n");
    expect(JSON.parse(types.at(-1) ?? "")).toMatchObject({ type: "done" });
  });

  test("goes on across a server restart", async () => {
    t.server.tell(...turnOf("a"));
    become({ state: "running", turn: running });
    const cli = t.drover(["wait", "brave-otter"]);
    await t.streaming();
    await t.server.kill();
    await cli.says("The server is away");
    become({ state: "idle" });
    t.server.tell(done());
    await t.server.listen();
    expect(await cli.ended).toBe(0);
  });

  test("says once which command answers, and waits; --no-wait is exit 4", async () => {
    t.server.tell(...turnOf("a"));
    t.server.interactions = [anApproval()];
    become({ state: "waiting_for_input", turn: running, openInteractions: 1 });
    expect(await t.drover(["wait", "brave-otter", "--no-wait"]).ended).toBe(4);

    const cli = t.drover(["wait", "brave-otter"]);
    await cli.says(`drover permit allow ${anApproval().id}`);
    await t.streaming();
    t.server.interactions = [];
    become({ state: "idle" });
    t.server.tell(done());
    expect(await cli.ended).toBe(0);
    expect(cli.stderr().match(/permit allow/g)).toHaveLength(1);
  });

  test("--timeout is exit 124", async () => {
    t.server.tell(...turnOf("a"));
    become({ state: "running", turn: running });
    expect(await t.drover(["wait", "brave-otter", "--timeout", "50ms"]).ended).toBe(124);
  });

  test("of a crashed session is exit 1, and says why", async () => {
    become({ state: "crashed", reason: { code: "AGENT_CRASHED", message: "It ended five times." } });
    const cli = t.drover(["wait", "brave-otter"]);
    expect(await cli.ended).toBe(1);
    expect(cli.stderr()).toBe("✗ It ended five times.\n");
  });

  test("of a session whose queue is paused says which command lets it go on", async () => {
    t.server.tell(...turnOf("a"), done());
    become({ queued: 2, queuePaused: true });
    const cli = t.drover(["wait", "brave-otter"]);
    expect(await cli.ended).toBe(0);
    expect(cli.stderr()).toContain("paused with 2 in it. `drover resume brave-otter`");
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

  test("-f begins at the beginning and goes on until Ctrl-C, across a restart", async () => {
    t.server.tell(...turnOf("one "));
    const cli = t.drover(["logs", "brave-otter", "-f", "--json"]);
    await cli.says("one ");
    await t.server.kill();
    t.server.tell({ type: "text_delta", turnId, itemId: "itm_1", text: "two" });
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

  test("--raw prints the agent's bytes as they are, --stream chooses, -f asks for more behind them", async () => {
    const bytes = Buffer.from([0xff, 0x00, 0x0a, 0x41]);
    let more = "";
    t.server.routes["GET /api/sessions/:id/log"] = ({ path }) => {
      const offset = Number(new URL(path, "http://x").searchParams.get("offset"));
      return { body: Buffer.concat([bytes, Buffer.from(more)]).subarray(offset) };
    };
    const cli = t.drover(["logs", "brave-otter", "--raw", "-f", "--stream", "stderr"]);
    await t.streaming();
    more = "more";
    t.server.tell({ type: "notice", code: "X", message: "x", facts: {} });
    await cli.says("more");
    cli.interrupt();
    expect(await cli.ended).toBe(130);
    expect(cli.stdout()).toBe(`${bytes.toString("utf8")}more`);
    expect((await t.server.wasAsked("GET", /log\?/)).path).toContain("stream=stderr");
  });
});

describe("attach", () => {
  const attach = () => t.drover(["attach", "brave-otter"], { terminal: true });

  test("shows what was said, then what comes, and takes a typed line as a message", async () => {
    t.server.items = [
      { id: "itm_0", kind: "user", status: "complete", at: "", seq: 1, text: "hello", by: "web:page" },
      { id: "itm_1", kind: "text", status: "open", at: "", seq: 2, text: "Good " },
    ];
    t.server.tell(...turnOf("Good "));
    become({ state: "running", turn: running });
    const cli = attach();
    await cli.says("› hello");
    t.server.tell({ type: "text_delta", turnId, itemId: "itm_1", text: "day" }, done());
    await cli.says("— end turn");
    expect(cli.stdout()).toBe("Good day\n");
    cli.type("and\u007fd now?\r");
    expect((await t.server.wasAsked("POST", /messages$/)).body).toMatchObject({ content: "and now?" });
    cli.type("\u0004");
    expect(await cli.ended).toBe(0);
    expect(cli.isRaw).toBe(false);
  });

  test("holds still while a line is being typed, and a letter of it is no answer", async () => {
    const cli = attach();
    await cli.says("Type a message");
    cli.type("yes");
    await cli.says("› yes");
    t.server.interactions = [anApproval()];
    t.server.tell(...turnOf("meanwhile"), { ...anApproval(), type: "approval_required" });
    cli.type(", go on");
    await cli.says("› yes, go on");
    expect(cli.stdout()).not.toContain("meanwhile");
    cli.type("\r");
    await cli.says("meanwhile");
    await cli.says("y allow once");
    expect((await t.server.wasAsked("POST", /messages$/)).body).toMatchObject({ content: "yes, go on" });
    expect(t.server.asked.some(({ path }) => path.endsWith("/approve"))).toBe(false);
    await pressUntil(cli, "y", () => t.server.asked.some(({ path }) => path.endsWith("/approve")));
    // What was pressed once too often is the beginning of a line, which Ctrl-U takes back.
    cli.type("\u0015\u0004");
    expect(await cli.ended).toBe(0);
  });

  test("a paste of several lines is one message", async () => {
    const cli = attach();
    await cli.says("Type a message");
    cli.type("\u001b[200~one\rtwo\u001b[201~\r");
    expect((await t.server.wasAsked("POST", /messages$/)).body).toMatchObject({ content: "one\ntwo" });
    cli.type("\u0004");
    await cli.ended;
  });

  test("asks what was open on arrival, several answers of a question included", async () => {
    const [question] = aQuestion().questions ?? [];
    const many = aQuestion({ questions: [{ ...question!, multiSelect: true }] });
    t.server.interactions = [many];
    const cli = attach();
    await cli.says("numbers to choose");
    await pressUntil(cli, "2", () => cli.stderr().includes("(2)"));
    // An even number of further presses may have taken it back: Enter only sends what is chosen.
    await pressUntil(cli, "\r", () => t.server.asked.some(({ path }) => path.endsWith("/submit-answers")));
    const { body } = await t.server.wasAsked("POST", /submit-answers$/);
    expect(body["answers"]).toEqual({ q1: ["Dark blue"] });
    cli.type("\u0004");
    await cli.ended;
  });

  test("Ctrl-C interrupts the turn, a second one leaves with exit 130", async () => {
    become({ state: "running", turn: running });
    const cli = attach();
    await cli.says("Type a message");
    cli.type("\u0003");
    await t.server.wasAsked("POST", /interrupt$/);
    cli.type("\u0003");
    expect(await cli.ended).toBe(130);
  });

  test("a message the server refuses is said, and the view goes on", async () => {
    t.server.routes["POST /api/sessions/:id/messages"] = () => ({
      status: 409,
      body: { error: "50 messages wait already", code: "QUEUE_FULL", limit: 50 },
    });
    const cli = attach();
    await cli.says("Type a message");
    cli.type("more\r");
    await cli.says("not sent: 50 messages wait already");
    cli.type("\u0004");
    expect(await cli.ended).toBe(0);
  });

  test("--json prints the snapshot, then every frame, a line each", async () => {
    t.server.tell(...turnOf("a"));
    const cli = t.drover(["attach", "brave-otter", "--json"]);
    await cli.says('"type":"snapshot"');
    t.server.tell(done());
    await cli.says('"type":"done"');
    cli.interrupt();
    expect(await cli.ended).toBe(130);
    expect(
      cli
        .stdout()
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line).seq),
    ).toEqual([3, 4]);
  });
});

describe("send --wait", () => {
  const queued = { applied: "queued", queuePosition: 1, requested: "queue", messageId: "msg_9" };

  test("shows its own turn only, however long the message waits in the queue", async () => {
    t.server.tell(...turnOf("other "));
    t.server.routes["POST /api/sessions/:id/messages"] = () => ({
      status: 202,
      body: { ...queued, sessionId: t.server.session.id, cursor: 3 },
    });
    const cli = t.drover(["send", "brave-otter", "next", "--wait"]);
    await t.streaming();
    t.server.tell(
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
    t.server.tell(...turnOf("other "));
    t.server.routes["POST /api/sessions/:id/messages"] = () => ({
      status: 202,
      body: { ...queued, sessionId: t.server.session.id, cursor: 3 },
    });
    const cli = t.drover(["send", "brave-otter", "next", "--wait"]);
    await t.streaming();
    t.server.tell(
      { type: "queue_update", paused: false, messages: [{ messageId: "msg_9", content: "next" }] },
      { type: "queue_update", paused: false, messages: [] },
    );
    expect(await cli.ended).toBe(1);
    expect(cli.stderr()).toContain("dropped from the queue");
  });
});
