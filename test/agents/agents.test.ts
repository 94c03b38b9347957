// Other tests rely on the kit's agents: each must do the one thing it is for, and speak ACP until then.
import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Readable, Writable } from "node:stream";
import { describe, expect, test } from "vitest";
import { isAlive } from "../kit/processes.ts";
import { tempDir } from "../kit/temp.ts";
import { until } from "../kit/until.ts";

type Message = Record<string, unknown>;

interface Conversation extends AsyncDisposable {
  readonly pid: number;
  readonly exit: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
  bytes(): Buffer;
  stderr(): string;
  /** The lines that are JSON objects, parsed. */
  messages(): Message[];
  send(message: Message): void;
  /** Sends a request and waits for its response. */
  request(method: string, params?: Message): Promise<Message>;
  /** The text of all agent_message_chunk updates so far. */
  text(): string;
}

const SILENT = ["never-initialises.mjs"];
/** Programs without a protocol: they only take a prompt. */
const SPEAKS_NO_ACP = /^(jsonl|text)-/;
const programs = readdirSync(import.meta.dirname).filter(
  (name) => name.endsWith(".mjs") && !["kit.mjs", "tee.mjs"].includes(name) && !SPEAKS_NO_ACP.test(name),
);

function parse(line: string): Message[] {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? [value as Message] : [];
  } catch {
    return [];
  }
}

function converse(directory: string, args: string[]): Conversation {
  const [program = "", ...rest] = args;
  const child: ChildProcessByStdio<Writable, Readable, Readable> = spawn(
    process.execPath,
    [join(import.meta.dirname, program), ...rest],
    { cwd: directory, stdio: ["pipe", "pipe", "pipe"] },
  );
  const out: Buffer[] = [];
  let stderr = "";
  child.stdout.on("data", (data: Buffer) => out.push(data));
  child.stderr.on("data", (data: Buffer) => {
    stderr += data;
  });
  child.stdin.on("error", () => {});
  const exit = once(child, "exit").then(([code, signal]) => ({ code, signal }));
  let lastId = 0;
  const messages = () => Buffer.concat(out).toString("utf8").split("\n").flatMap(parse);
  const send = (message: Message) => child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  return {
    pid: child.pid ?? -1,
    exit,
    bytes: () => Buffer.concat(out),
    stderr: () => stderr,
    messages,
    send,
    request(method, params = {}) {
      const id = ++lastId;
      send({ id, method, params });
      return until(() => messages().find((message) => message["id"] === id), {
        what: `${program}: ${method}`,
      });
    },
    text: () =>
      messages()
        .flatMap((message) => {
          const { update } = (message["params"] ?? {}) as {
            update?: { sessionUpdate: string; content?: { text?: string } };
          };
          return update?.sessionUpdate === "agent_message_chunk" ? [update.content?.text ?? ""] : [];
        })
        .join(""),
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await exit;
    },
  };
}

const prompt = (text: string): Message => ({ sessionId: "s", prompt: [{ type: "text", text }] });

describe("each agent of the kit", () => {
  test.each(programs)("%s answers initialize, unless it is meant not to", async (program) => {
    await using dir = await tempDir();
    const file = join(dir.path, "pids");
    await using agent = converse(dir.path, [program, "--copy", join(dir.path, "copy"), "--file", file]);
    if (SILENT.includes(program)) {
      agent.send({ id: 1, method: "initialize", params: { protocolVersion: 1 } });
      await until(() => agent.stderr().includes("\n"));
      expect(agent.messages()).toEqual([]);
      return;
    }
    const answer = await agent.request("initialize", { protocolVersion: 1, clientCapabilities: {} });
    expect(answer["result"]).toEqual({ protocolVersion: 1, agentCapabilities: { loadSession: true } });
    expect(await readFile(join(dir.path, "copy"))).toEqual(agent.bytes());
    await killWhatItStarted(file);
  });
});

/** Programs that fork record the pids; without a process layer the test must end them. */
async function killWhatItStarted(file: string): Promise<void> {
  const text = await readFile(file, "utf8").catch(() => "{}");
  for (const pid of Object.values(JSON.parse(text) as Record<string, unknown>)) {
    if (typeof pid === "number" && isAlive(pid)) process.kill(pid, "SIGKILL");
  }
}

describe("a turn", () => {
  test("echo writes the hash, the length and the text of the prompt", async () => {
    await using dir = await tempDir();
    await using agent = converse(dir.path, ["echo.mjs"]);
    const answer = await agent.request("session/prompt", prompt("hé\n"));
    expect(answer["result"]).toEqual({ stopReason: "end_turn" });
    expect(agent.text()).toMatch(/^[0-9a-f]{64} 4\nhé\n$/);
  });

  test.each([[[]], [["--one-byte"]]])("splits-emoji %j still writes the requested text", async (options) => {
    await using dir = await tempDir();
    await using agent = converse(dir.path, ["splits-emoji.mjs", ...options]);
    await agent.request("session/prompt", prompt("🐑🐕"));
    expect(agent.text()).toBe("🐑🐕");
  });

  test("floods sends the requested number of updates of the requested size", async () => {
    await using dir = await tempDir();
    await using agent = converse(dir.path, ["floods.mjs", "--count", "1234", "--bytes", "300"]);
    await agent.request("session/prompt", prompt("go"));
    const lines = agent.bytes().toString("utf8").trimEnd().split("\n");
    expect(lines.length).toBe(1235);
    expect(lines.slice(0, -1).every((line) => line.length === 299)).toBe(true);
  });

  test("asks-permission acts only if allowed, and reports the answer", async () => {
    await using dir = await tempDir();
    const file = join(dir.path, "log");
    await using agent = converse(dir.path, ["asks-permission.mjs", "--file", file]);
    const settle = async (optionId: string, text: string) => {
      const id = agent.messages().length;
      const turn = agent.request("session/prompt", prompt(text));
      const request = await until(() =>
        agent
          .messages()
          .slice(id)
          .find((message) => message["method"] === "session/request_permission"),
      );
      const result = { outcome: { outcome: "selected", optionId }, _meta: { "drover/reason": text } };
      agent.send({ id: request["id"], result });
      await turn;
    };
    await settle("opt-c", "no");
    await expect(readFile(file)).rejects.toThrow("ENOENT");
    await settle("opt-a", "yes");
    expect(await readFile(file, "utf8")).toBe("call-2 yes\n");
    expect(agent.text()).toContain('"kind":"reject_once","_meta":{"drover/reason":"no"}');
  });

  test("answers-after-cancel writes before and after its answer", async () => {
    await using dir = await tempDir();
    await using agent = converse(dir.path, ["answers-after-cancel.mjs"]);
    const turn = agent.request("session/prompt", prompt("talk"));
    await until(() => agent.text().includes("before 1"));
    agent.send({ method: "session/cancel", params: { sessionId: "s" } });
    expect((await turn)["result"]).toEqual({ stopReason: "cancelled" });
    await until(() => agent.text().endsWith("late 0 late 1 late 2 too late 0 too late 1 too late 2 "));
  });

  test("unknown-updates reports the answer to its request", async () => {
    await using dir = await tempDir();
    await using agent = converse(dir.path, ["unknown-updates.mjs"]);
    const turn = agent.request("session/prompt", prompt("x"));
    const request = await until(() =>
      agent.messages().find(({ method }) => method === "kit/unknown_request"),
    );
    agent.send({ id: request["id"], error: { code: -32601, message: "Method not found" } });
    await turn;
    expect(agent.text()).toContain("-32601");
  });

  test.each([
    ["dies-mid-turn.mjs", { code: null, signal: "SIGKILL" }],
    ["exits-zero-mid-turn.mjs", { code: 0, signal: null }],
    ["asks-and-dies.mjs", { code: 3, signal: null }],
  ])("%s exits with the prompt unanswered", async (program, exit) => {
    await using dir = await tempDir();
    await using agent = converse(dir.path, [program]);
    agent.send({ id: 1, method: "session/prompt", params: prompt("x") });
    expect(await agent.exit).toEqual(exit);
    await until(() => agent.messages().length > 0);
    expect(agent.messages().filter((message) => message["id"] === 1)).toEqual([]);
  });

  test("garbage writes its valid lines intact", async () => {
    await using dir = await tempDir();
    await using agent = converse(dir.path, ["garbage.mjs"]);
    await agent.request("session/prompt", prompt("x"));
    expect(agent.text()).toMatch(/^good 0 good 1 .*the end$/);
    expect(agent.bytes().includes(Buffer.from([0xff, 0xfe]))).toBe(true);
  });
});

describe("tee", () => {
  test("forwards both directions, keeps a copy, and exits as its program does", async () => {
    await using dir = await tempDir();
    const copy = join(dir.path, "copy");
    const echo = join(import.meta.dirname, "echo.mjs");
    await using agent = converse(dir.path, ["tee.mjs", "--copy", copy, "--", process.execPath, echo]);
    await agent.request("session/prompt", prompt("🐑"));
    expect(await readFile(copy)).toEqual(agent.bytes());
    process.kill(agent.pid, "SIGTERM");
    expect(await agent.exit).toEqual({ code: null, signal: "SIGTERM" });
  });

  test("exits with its program's code", async () => {
    await using dir = await tempDir();
    await using agent = converse(dir.path, ["tee.mjs", "--", process.execPath, "-e", "process.exit(9)"]);
    expect(await agent.exit).toEqual({ code: 9, signal: null });
  });
});
