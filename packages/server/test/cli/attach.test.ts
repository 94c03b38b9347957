import type { Session } from "@drover/core";
import { describe, expect, test } from "vitest";
import { anApproval, aQuestion, done, runningTurn, turnId, turnOf } from "./fixtures.ts";
import { pressUntil, suite } from "./suite.ts";

const t = suite();

const failedTurn: Session["lastTurn"] = {
  id: turnId,
  startedAt: "",
  endedAt: "",
  reason: "error",
  ok: false,
  message: "No such model",
};

describe("attach", () => {
  const attach = () => t.drover(["attach", "brave-otter"], { terminal: true });

  test("shows the transcript, then new events, and sends a typed line as a message", async () => {
    t.server.items = [
      { id: "itm_0", kind: "user", status: "complete", at: "", seq: 1, text: "hello", by: "web:page" },
      { id: "itm_1", kind: "text", status: "open", at: "", seq: 2, text: "Good " },
    ];
    t.server.append(...turnOf("Good "));
    t.server.become({ state: "running", turn: runningTurn });
    const cli = attach();
    await cli.says("› hello");
    t.server.append({ type: "text_delta", turnId, itemId: "itm_1", text: "day" }, done());
    await cli.says("Done in 1 s");
    expect(cli.stdout()).toBe("Good day\n");
    cli.type("and\u007fd now?\r");
    expect((await t.server.wasAsked("POST", /messages$/)).body).toMatchObject({ content: "and now?" });
    cli.type("\u0004");
    expect(await cli.ended).toBe(0);
    expect(cli.isRaw).toBe(false);
  });

  test("holds output back while a line is typed, and does not take its letters for an answer", async () => {
    const cli = attach();
    await cli.says("Type a message");
    cli.type("yes");
    await cli.says("› yes");
    t.server.interactions = [anApproval()];
    t.server.append(...turnOf("meanwhile"), { ...anApproval(), type: "approval_required" });
    cli.type(", go on");
    await cli.says("› yes, go on");
    expect(cli.stdout()).not.toContain("meanwhile");
    cli.type("\r");
    await cli.says("meanwhile");
    await cli.says("y allow once");
    expect((await t.server.wasAsked("POST", /messages$/)).body).toMatchObject({ content: "yes, go on" });
    expect(t.server.asked.some(({ path }) => path.endsWith("/approve"))).toBe(false);
    await pressUntil(cli, "y", () => t.server.asked.some(({ path }) => path.endsWith("/approve")));
    // A surplus key press starts a line; Ctrl-U clears it.
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

  test("asks what was open on arrival, including a question with several answers", async () => {
    const [question] = aQuestion().questions ?? [];
    const many = aQuestion({ questions: [{ ...question!, multiSelect: true }] });
    t.server.interactions = [many];
    const cli = attach();
    await cli.says("numbers to choose");
    await pressUntil(cli, "2", () => cli.stderr().includes("(2)"));
    // Surplus presses may have deselected it again; Enter only sends a selection.
    await pressUntil(cli, "\r", () => t.server.asked.some(({ path }) => path.endsWith("/submit-answers")));
    const { body } = await t.server.wasAsked("POST", /submit-answers$/);
    expect(body["answers"]).toEqual({ q1: ["Dark blue"] });
    cli.type("\u0004");
    await cli.ended;
  });

  test("Ctrl-C interrupts the turn, a second one leaves with exit 130", async () => {
    t.server.become({ state: "running", turn: runningTurn });
    const cli = attach();
    await cli.says("Type a message");
    cli.type("\u0003");
    await t.server.wasAsked("POST", /interrupt$/);
    cli.type("\u0003");
    expect(await cli.ended).toBe(130);
  });

  test.for<[string, Partial<Session>]>([
    ["· idle, waiting for a message", {}],
    ["· idle, the last turn failed: No such model", { lastTurn: failedTurn }],
    ["· idle, the last turn reached the usage limit", { lastTurn: { ...failedTurn, reason: "usage_limit" } }],
    ["· stopped. `drover resume brave-otter` starts it again.", { state: "stopped" }],
    [
      "· crashed: It ended five times. `drover resume brave-otter` starts it again.",
      { state: "crashed", reason: { code: "AGENT_CRASHED", message: "It ended five times" } },
    ],
    [
      "· brave-otter: the queue is paused with 2 messages in it. `drover resume brave-otter` continues it.",
      { queued: 2, queuePaused: true },
    ],
    ["· 1 message queued", { state: "running", turn: runningTurn, queued: 1 }],
  ])("says on arrival: %s", async ([words, fields]) => {
    t.server.become(fields);
    const cli = attach();
    await cli.says(words);
    cli.type("\u0004");
    expect(await cli.ended).toBe(0);
  });

  test("says when messages are queued and when the queue is paused, once", async () => {
    t.server.become({ state: "running", turn: runningTurn });
    const cli = attach();
    await cli.says("Type a message");
    const message = { messageId: "msg_9", content: "next", by: "cli", at: "" };
    const paused = { type: "queue_update", paused: true, messages: [message] };
    t.server.append({ ...paused, paused: false }, paused, paused, done());
    await cli.says("Done in");
    expect(cli.stderr().match(/· 1 message queued/g)).toHaveLength(1);
    expect(cli.stderr().match(/the queue is paused with 1 message in it/g)).toHaveLength(1);
    cli.type("\u0004");
    expect(await cli.ended).toBe(0);
  });

  test("shows that the server refused a message, and stays open", async () => {
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
    t.server.append(...turnOf("a"));
    const cli = t.drover(["attach", "brave-otter", "--json"]);
    await cli.says('"type":"snapshot"');
    t.server.append(done());
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
