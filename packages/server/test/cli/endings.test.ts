// The line a turn ends with, and what is shown of denied calls.
import { describe, expect, test } from "vitest";
import { until } from "../../../../test/kit/until.ts";
import { done, turnId, turnOf } from "./fixtures.ts";
import { suite } from "./suite.ts";

const t = suite();

/** Runs a turn of these events to its end. */
async function run(args: string[], events: ReturnType<typeof turnOf>) {
  const cli = t.drover(["run", "demo", "x", ...args]);
  await t.streaming();
  t.server.append(...turnOf("a"), ...events);
  const code = await cli.ended;
  await until(() => t.server.openStreams === 0);
  return { code, lines: cli.stderr().trimEnd().split("\n") };
}

const turn = (...events: ReturnType<typeof turnOf>) => run([], events);

describe("a turn ends with", () => {
  test.for([
    ["2026-02-18T14:30:13.400Z", "Done in 12 s"],
    ["2026-02-18T14:33:06.000Z", "Done in 3 min 5 s"],
    ["2026-02-18T16:40:01.000Z", "Done in 2 h 10 min"],
  ] as const)("the time it took: %s", async ([at, words]) => {
    const { code, lines } = await turn(done({ at }));
    expect(code).toBe(0);
    expect(lines.at(-1)).toBe(words);
  });

  test("the usage limit that stopped it, and the time it ends", async () => {
    const error = { code: "USAGE_LIMIT", message: "You have used it all", retry: "never" };
    const until = "2031-02-18T15:00:00.000Z";
    const stopped = { ok: false, reason: "usage_limit" };
    expect((await turn({ type: "error", turnId, ...error }, done({ ...stopped, error }))).lines).toEqual([
      "brave-otter",
      "✗ You have used it all",
      "✗ Stopped: usage limit reached",
    ]);
    const { code, lines } = await turn(done({ ...stopped, error: { ...error, until } }));
    expect(code).toBe(1);
    expect(lines.at(-1)).toMatch(/^✗ Stopped: usage limit reached until 2031-02-1\d \d\d:00$/);
  });

  test("where it was interrupted", async () => {
    const { code, lines } = await turn(done({ ok: false, reason: "cancelled" }));
    expect(code).toBe(1);
    expect(lines.at(-1)).toBe("Interrupted here");
  });

  test("its error, once", async () => {
    const error = { code: "MODEL_ERROR", message: "No such model", retry: "never" };
    const failed = done({ ok: false, reason: "error", error });
    expect((await turn({ type: "error", turnId, ...error }, failed)).lines).toEqual([
      "brave-otter",
      "✗ No such model",
    ]);
    expect((await turn(failed)).lines).toEqual(["brave-otter", "✗ No such model"]);
  });

  test("nothing on standard error with --json, unless it failed", async () => {
    expect((await run(["--json"], [done()])).lines).toEqual(["brave-otter"]);
    const failed = done({ ok: false, reason: "timeout" });
    expect((await run(["--json"], [failed])).lines).toEqual(["brave-otter", "✗ Timed out"]);
  });
});

describe("a denied call", () => {
  test.for([
    ["Denied: User denied tool execution: use the test db", "Denied: use the test db"],
    ["User denied tool execution", "Denied"],
    ["denied", "Denied"],
    ["Not in this mode", "Denied: Not in this mode"],
    ["", "Denied"],
  ] as const)("that answered %j reads %j", async ([result, words]) => {
    const call = { turnId, toolCallId: "call-1", toolName: "run", kind: "execute", title: "Run" };
    const { lines } = await turn(
      { type: "tool_call_start", ...call },
      { type: "tool_result", ...call, status: "denied", result },
      done(),
    );
    expect(lines).toContain(`  ${words}`);
  });
});

describe("run of an agent that is not installed", () => {
  const agent = { agent: "claude", name: "Claude Code", installed: false };
  const know = (fields: object) => {
    t.server.routes["GET /api/agents"] = () => ({ body: { agents: [{ ...agent, ...fields }] } });
  };
  const created = () => t.server.asked.some(({ method }) => method === "POST");

  test("names the command that installs it and creates no session", async () => {
    know({ package: { name: "@anthropic-ai/claude-agent-sdk", version: "1.0.0" } });
    for (const more of [[], ["--detach"]]) {
      expect(await t.run("run", "claude", "x", ...more)).toEqual({
        code: 1,
        stdout: "",
        stderr: "Claude Code is not installed.\n`drover agents add claude` installs it.\n",
      });
    }
    expect(created()).toBe(false);
  });

  test("is tried if Drover cannot install it, because the server may not have looked everywhere", async () => {
    know({});
    expect((await t.run("run", "claude", "x", "--detach")).code).toBe(0);
    expect(created()).toBe(true);
  });
});
