import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, existsSync, openSync, readFileSync, statSync, writeSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { isAlive } from "../../../../test/kit/processes.ts";
import { until } from "../../../../test/kit/until.ts";
import {
  actionsIn,
  choose,
  Demo,
  demoMain,
  demoWithSession,
  type Place,
  place,
  startDemo,
} from "./harness.ts";

interface Line {
  id?: number | string;
  method?: string;
  params?: { sessionId: string; update?: { content?: { text?: string } } };
  result?: { sessionId?: string; stopReason?: string };
}

/** The agent as the server runs it: it reads a FIFO that it holds open, writes to a file, and outlives its parent. */
class DetachedDemo {
  readonly #where: Place;
  readonly #launcher;
  readonly #fifo: number;

  constructor(where: Place) {
    this.#where = where;
    execFileSync("mkfifo", [join(where.state, "in")]);
    this.#fifo = openSync(join(where.state, "in"), "r+");
    const script = 'exec 3<>"$1/in"; "$2" "$3" <&3 3<&- >>"$1/out" 2>>"$1/err" & echo $! > "$1/pid"; wait';
    const argv = ["-c", script, "sh", where.state, process.execPath, demoMain];
    const env = { ...process.env, XDG_STATE_HOME: where.state };
    this.#launcher = spawn("/bin/sh", argv, { cwd: where.cwd, env, stdio: "ignore" });
  }

  async pid(): Promise<number> {
    return until(() => Number(readFileSync(join(this.#where.state, "pid"), "utf8")) || undefined);
  }

  send(message: object): void {
    writeSync(this.#fifo, `${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  }

  /** Every line it has written; one that is not JSON fails the test. */
  lines(): Line[] {
    const text = readFileSync(join(this.#where.state, "out"), "utf8");
    return text
      .slice(0, text.lastIndexOf("\n") + 1)
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line));
  }

  line(matches: (line: Line) => boolean): Promise<Line> {
    return until(() => this.lines().find(matches));
  }

  async loseParent(): Promise<void> {
    const gone = once(this.#launcher, "exit");
    this.#launcher.kill("SIGKILL");
    await gone;
  }

  async end(): Promise<void> {
    const pid = await this.pid();
    if (isAlive(pid)) process.kill(pid, "SIGTERM");
    await until(() => !isAlive(pid));
    if (this.#launcher.exitCode === null && this.#launcher.signalCode === null)
      await once(this.#launcher, "exit");
    closeSync(this.#fifo);
  }
}

async function started(where: Place): Promise<{ demo: DetachedDemo; sessionId: string }> {
  const demo = new DetachedDemo(where);
  demo.send({ id: "a", method: "initialize", params: { protocolVersion: 1 } });
  await demo.line(({ id }) => id === "a");
  demo.send({ id: "b", method: "session/new", params: { cwd: where.cwd, mcpServers: [] } });
  const { result } = await demo.line(({ id }) => id === "b");
  return { demo, sessionId: result?.sessionId ?? "" };
}

describe("the demo agent's process", () => {
  it("continues when its parent is killed, and keeps an open approval", async () => {
    await using where = await place();
    const { demo, sessionId } = await started(where);
    try {
      const prompt = [{ type: "text", text: "run echo hi\nsay bye" }];
      demo.send({ id: "c", method: "session/prompt", params: { sessionId, prompt } });
      const asked = await demo.line(({ method }) => method === "session/request_permission");
      await demo.loseParent();
      const outcome = { outcome: "selected", optionId: "demo-yes" };
      demo.send({ id: asked.id, result: { outcome } });
      expect(await demo.line(({ id }) => id === "c")).toMatchObject({
        result: { stopReason: "end_turn" },
      });
      expect(readFileSync(actionsIn(where), "utf8")).toMatch(/^\S+ run echo hi\n$/);
    } finally {
      await demo.end();
    }
  });

  it("ignores duplicate answers and answers to nothing: it acts once and stdout stays clean", async () => {
    await using where = await place();
    const { demo, sessionId } = await started(where);
    try {
      const prompt = [{ type: "text", text: "run echo hi >> ran" }];
      demo.send({ id: "c", method: "session/prompt", params: { sessionId, prompt } });
      const { id } = await demo.line(({ method }) => method === "session/request_permission");
      const result = { outcome: { outcome: "selected", optionId: "demo-yes" } };
      for (const answered of [id, id, 999]) demo.send({ id: answered, result });
      await demo.line((line) => line.id === "c");
      const written = demo.lines().length;
      demo.send({
        id: "d",
        method: "session/prompt",
        params: { sessionId, prompt: [{ type: "text", text: "say ok" }] },
      });
      await demo.line((line) => line.id === "d");
      const later = demo.lines().slice(written);
      expect(later.map((line) => line.method ?? line.id)).toEqual(["session/update", "session/update", "d"]);
      expect(readFileSync(join(where.cwd, "ran"), "utf8")).toBe("hi\n");
    } finally {
      await demo.end();
    }
  });

  it("receives a cancel in the middle of a stream that it writes to a file at full speed", async () => {
    await using where = await place();
    const { demo, sessionId } = await started(where);
    try {
      // More than it could write before the cancel arrives.
      const prompt = [{ type: "text", text: "stream 5000000" }];
      demo.send({ id: "c", method: "session/prompt", params: { sessionId, prompt } });
      await until(() => statSync(join(where.state, "out")).size > 100_000);
      demo.send({ method: "session/cancel", params: { sessionId } });
      expect(await demo.line(({ id }) => id === "c")).toMatchObject({ result: { stopReason: "cancelled" } });
      expect(demo.lines().at(-1)).toMatchObject({ id: "c" });
    } finally {
      await demo.end();
    }
  });

  it("continues when its output is no longer read", async () => {
    await using where = await place();
    await using demo = await demoWithSession(where);
    demo.stopReading();
    const turn = expect(demo.prompt("stream 100", "say unread")).rejects.toThrow();
    const file = join(where.state, "drover-demo", `${demo.sessionId}.json`);
    await until(() => readFileSync(file, "utf8").includes('unread\\n"}'));
    expect(isAlive(demo.pid)).toBe(true);
    await turn;
  });

  it("exits with 1 and an error message when its output cannot be stored", async () => {
    const script = 'exec "$0" "$1" > /dev/full';
    const child = spawn("/bin/sh", ["-c", script, process.execPath, demoMain]);
    const stderr = text(child.stderr);
    child.stdin.write('{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":1}}\n');
    expect(await once(child, "exit")).toEqual([1, null]);
    child.stdin.destroy();
    expect(await stderr).toMatch(/output was lost: ENOSPC/);
  });

  it("exits with 0 when its input ends, even in the middle of a turn, and ends its command", async () => {
    await using where = await place();
    await using demo = await demoWithSession(where, { permit: choose("allow_once") });
    const turn = expect(demo.prompt("run echo $$ > pid; sleep 600; true")).rejects.toThrow();
    const pid = await until(() => Number(readFileSync(join(where.cwd, "pid"), "utf8")) || undefined);
    demo.endInput();
    expect(await demo.exit()).toBe(0);
    await turn;
    await until(() => !isAlive(pid));
  });

  it.each(["SIGTERM", "SIGINT"] as const)("exits on %s and ends its command", async (signal) => {
    await using where = await place();
    await using demo = await demoWithSession(where, { permit: choose("allow_once") });
    const turn = expect(demo.prompt("run echo $$ > pid; sleep 600; true")).rejects.toThrow();
    const pid = await until(() => Number(readFileSync(join(where.cwd, "pid"), "utf8")) || undefined);
    demo.kill(signal);
    expect(await demo.exit()).toBe(signal);
    await turn;
    await until(() => !isAlive(pid));
  });

  it("answers an unknown method with an error and keeps running", async () => {
    await using where = await place();
    await using demo = await startDemo(where);
    await expect(demo.agent.request("session/dance", {})).rejects.toMatchObject({ code: -32601 });
    await demo.newSession();
    expect(await demo.prompt("say hello")).toMatchObject({ stopReason: "end_turn" });
  });

  it("must be initialized first", async () => {
    await using where = await place();
    await using demo = new Demo(where, {});
    await expect(demo.newSession()).rejects.toMatchObject({ code: -32600 });
    expect(existsSync(join(where.state, "drover-demo"))).toBe(false);
  });
});
