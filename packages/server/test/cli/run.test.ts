import { describe, expect, test } from "vitest";
import { done, messageId, turnId, turnOf } from "./fixtures.ts";
import type { Started, StartOptions } from "./run-cli.ts";
import { suite } from "./suite.ts";

const t = suite();

const run = (args: string[], options: Partial<StartOptions> = {}): Started =>
  t.drover(["run", "demo", ...args], options);

const aToolCall = {
  type: "tool_call_start",
  turnId,
  toolCallId: "call-1",
  toolName: "run",
  kind: "execute",
  title: "Run npm test",
};

describe("run", () => {
  test("prints the agent's text to standard output and everything else to standard error", async () => {
    const cli = run(["do", "it"]);
    await t.streaming();
    t.server.append(
      ...turnOf("Hel", "lo"),
      aToolCall,
      { ...aToolCall, type: "tool_result", status: "complete", result: "12 passed" },
      { type: "text_delta", turnId, itemId: "itm_2", text: "Done." },
      done(),
    );
    expect(await cli.ended).toBe(0);
    expect(cli.stdout()).toBe("Hello\nDone.\n");
    expect(cli.stderr()).toMatch(/^brave-otter\n/);
    expect(cli.stderr()).toContain("▸ Run npm test");
    expect(cli.stderr()).toMatch(/\nDone in 0 s\n$/);
    const created = await t.server.wasAsked("POST", "/api/sessions");
    expect(created.body).toEqual({ agent: "demo", cwd: t.home });
    expect(created.headers).toMatchObject({
      "x-drover-client": "cli",
      "idempotency-key": expect.any(String),
    });
    const sent = await t.server.wasAsked("POST", /messages$/);
    expect(sent.body).toEqual({ content: "do it", clientMessageId: expect.any(String) });
  });

  test("passes its options on to the new session", async () => {
    const cli = run([
      "x",
      "--cwd",
      "sub",
      "--worktree",
      "--name",
      "fox",
      "--mode",
      "plan",
      "--model",
      "big",
      "--detach",
    ]);
    expect(await cli.ended).toBe(0);
    expect((await t.server.wasAsked("POST", "/api/sessions")).body).toEqual({
      agent: "demo",
      cwd: `${t.home}/sub`,
      workspace: "worktree",
      name: "fox",
      permissionMode: "plan",
      model: "big",
    });
  });

  test("reads the prompt from standard input when it is piped", async () => {
    const cli = run(["--detach"], { input: "fix\n  it\n" });
    expect(await cli.ended).toBe(0);
    expect((await t.server.wasAsked("POST", /messages$/)).body).toMatchObject({ content: "fix\n  it\n" });
  });

  test("without a prompt says how to give one, exit 2, and starts nothing", async () => {
    const cli = run([], { terminal: true });
    expect(await cli.ended).toBe(2);
    expect(cli.stderr()).toContain('drover run demo "fix the failing test"');
    expect(t.server.asked).toEqual([]);
  });

  test("--detach says how to watch it, and prints the receipt only with --json", async () => {
    const words = run(["x", "--detach"]);
    expect(await words.ended).toBe(0);
    expect(words.stdout()).toBe("");
    expect(words.stderr()).toBe(
      "brave-otter\nRunning in the background. `drover attach brave-otter` shows it.\n",
    );
    const json = run(["x", "--detach", "--json"]);
    expect(await json.ended).toBe(0);
    expect(JSON.parse(json.stdout())).toMatchObject({ messageId, applied: "started" });
  });

  test("--json prints each frame's data on one line, as the server sent it", async () => {
    const cli = run(["x", "--json"]);
    await t.streaming();
    t.server.append(...turnOf("a\nb 🐑"), done());
    expect(await cli.ended).toBe(0);
    const frames = cli
      .stdout()
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as { type: string; seq: number });
    expect(frames.map(({ type }) => type)).toEqual(["turn_start", "message", "text_delta", "done"]);
    expect(frames.map(({ seq }) => seq)).toEqual([1, 2, 3, 4]);
  });

  test("shows the last output of an agent that could not be connected to", async () => {
    const cli = run(["do it"]);
    await t.streaming();
    const said = Array.from({ length: 20 }, (_, line) => `line ${line}\n`).join("");
    const error = {
      ...{ code: "AGENT_UNREACHABLE", message: "Could not connect to Kit", retry: "never" },
      stderrTail: `${said}\u001b[31mTypeError\u001b[0m: no path\n`,
    };
    t.server.append(
      ...turnOf("do it"),
      { type: "error", turnId, ...error },
      done({ ok: false, partial: true, reason: "error", error }),
    );
    expect(await cli.ended).toBe(1);
    expect(cli.stderr()).toMatch(
      /✗ Could not connect to Kit\n {2}line 13\n[\s\S]*\n {2}TypeError: no path\n$/,
    );
  });

  test("a turn that failed is exit 1, with its reason", async () => {
    const cli = run(["x"]);
    await t.streaming();
    const error = {
      code: "AGENT_MISSING",
      message: "Could not start Demo. Check that it's installed.",
      retry: "never",
    };
    t.server.append(
      ...turnOf("half"),
      { type: "error", turnId, ...error },
      done({ ok: false, partial: true, reason: "error", error }),
    );
    expect(await cli.ended).toBe(1);
    expect(cli.stdout()).toBe("half\n");
    expect(cli.stderr().match(/Could not start Demo\. Check that it's installed\./g)).toHaveLength(1);
    expect(cli.stderr()).toContain("`drover agents` shows how to install it.");
  });

  test("reports a gap in the numbers as a bug", async () => {
    const cli = run(["x"]);
    await t.streaming();
    t.server.append(
      ...turnOf("a"),
      { type: "text_delta", turnId, itemId: "itm_1", text: "b", from: 9 },
      done(),
    );
    expect(await cli.ended).toBe(0);
    expect(cli.stderr()).toContain("a bug in Drover");
  });

  test("--timeout stops waiting with exit 124 and leaves the turn running", async () => {
    const cli = run(["x", "--timeout", "50ms"]);
    expect(await cli.ended).toBe(124);
    expect(cli.stderr()).toContain("drover attach brave-otter");
    expect(t.server.asked.some(({ path }) => path.endsWith("/interrupt"))).toBe(false);
  });

  test("Ctrl-C interrupts the turn, exit 130", async () => {
    const cli = run(["x"]);
    await t.streaming();
    t.server.append(...turnOf("word"));
    await cli.says("word");
    cli.interrupt();
    await t.server.wasAsked("POST", /interrupt$/);
    t.server.append(done({ ok: false, reason: "cancelled", partial: true }));
    expect(await cli.ended).toBe(130);
  });

  test("Ctrl-C twice leaves the turn running, exit 130", async () => {
    const cli = run(["x"]);
    await t.streaming();
    cli.interrupt();
    cli.interrupt();
    expect(await cli.ended).toBe(130);
    expect(cli.stderr()).toContain("brave-otter is still running");
  });

  test("H5 an agent's escape sequences never reach the terminal, but the text they hide does", async () => {
    const cli = run(["x"], { terminal: true });
    await t.streaming();
    t.server.append(
      ...turnOf("a\u001b]0;owned\u0007b\u001b[2Jc\r\u009b31md"),
      { ...aToolCall, title: "x\u001b[1A\rRun" },
      done(),
    );
    expect(await cli.ended).toBe(0);
    expect(cli.stdout()).toBe("a⟨U+001B⟩]0;owned⟨U+0007⟩b⟨U+001B⟩[2Jc⟨U+000D⟩d\n");
    expect(cli.stderr()).toContain("▸ x⟨U+001B⟩[1A Run");
  });
});

describe("run, when the server goes away", () => {
  test("continues exactly where it was on the next server, even at another address", async () => {
    const cli = run(["x"]);
    await t.streaming();
    t.server.append(...turnOf("one ", "two "));
    await cli.says("two ");
    const before = t.server.url;
    await t.server.kill();
    await cli.says("Lost the server");
    t.server.append({ type: "text_delta", turnId, itemId: "itm_1", text: "three" });
    await t.server.listen();
    expect(t.server.url).not.toBe(before);
    await cli.says("The server is back");
    await t.streaming();
    t.server.append(done());
    expect(await cli.ended).toBe(0);
    expect(cli.stdout()).toBe("one two three\n");
  });

  test("prints nothing twice when the replay has a whole item instead of its deltas", async () => {
    const cli = run(["x"]);
    await t.streaming();
    t.server.append(...turnOf("one "));
    await cli.says("one ");
    await t.server.kill();
    const item = { id: "itm_1", turnId, kind: "text", status: "complete", at: "", seq: 3, text: "one two" };
    t.server.append({ type: "item", turnId, item, count: 3 }, done());
    await t.server.listen();
    expect(await cli.ended).toBe(0);
    expect(cli.stdout()).toBe("one two\n");
  });

  test("gives up after its patience with exit 3 and says that agents keep running", async () => {
    const cli = run(["x"], { settings: { patienceMs: 300 } });
    await t.streaming();
    await t.server.kill();
    expect(await cli.ended).toBe(3);
    expect(cli.stderr()).toContain("Agents keep running without it");
  });
});
