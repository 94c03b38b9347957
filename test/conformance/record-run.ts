// One scene of one command line, run as Drover runs it: standard input is a prompt file, the output goes to another file.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, open, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { killAllOf } from "../kit/processes.ts";
import { cleanEnvironment } from "../kit/server.ts";
import { tempDir } from "../kit/temp.ts";
import { until } from "../kit/until.ts";
import { startModel } from "../models/model.ts";
import { scriptedPrompt } from "../models/script.ts";
import { deadProxy } from "./direct.ts";
import { madeUpKey } from "./homes/home.ts";
import { programs } from "./programs.ts";
import type { CommandLine, TurnRequest } from "./record-agents.ts";
import { makeRepository } from "./record-project.ts";
import { redactor } from "./record-redact.ts";
import { earlier, type Scene, startedFile } from "./record-scenes.ts";

/** What was run and how it ended; its lines are in a separate file. */
export interface Recording {
  argv: string[];
  prompt: string;
  exitCode: number | null;
  signal: NodeJS.Signals | null;
  /** It ran until the recorder ended it. */
  isEndless?: true;
  /** Its standard error. */
  stderr: string;
  lines: string;
}

/** Long enough for every turn that ends, even on a busy machine; some programs retry a failing model forever. */
const patience = 60_000;
const patienceWithFailure = 20_000;

const nowhere = "http://127.0.0.1:9";

/** What the turns of a scene share. */
interface Rig {
  line: CommandLine;
  command: string;
  before: string[];
  cwd: string;
  home: string;
  env: Record<string, string>;
}

type Turn = Pick<Scene, "steps" | "signal" | "mayBeEndless"> & { request: TurnRequest };

async function endOf(child: ChildProcess, rig: Rig, { signal, mayBeEndless }: Turn) {
  const exited = once(child, "exit") as Promise<[number | null, NodeJS.Signals | null]>;
  if (signal) {
    await until(() => existsSync(join(rig.cwd, startedFile)), {
      deadline: patience,
      what: "the command runs",
    });
    child.kill(signal);
  }
  let isEndless = false;
  const end = () => {
    isEndless = true;
    child.kill("SIGTERM");
  };
  const timer = setTimeout(end, mayBeEndless ? patienceWithFailure : patience);
  const [exitCode, endedBy] = await exited;
  clearTimeout(timer);
  if (isEndless && !mayBeEndless) throw new Error("The turn did not end, so it cannot be recorded");
  return { exitCode, signal: endedBy, ...(isEndless ? { isEndless } : {}) };
}

async function runTurn(rig: Rig, turn: Turn): Promise<Recording> {
  const { steps, request } = turn;
  const { line, command, before, cwd, home, env } = rig;
  const prompt = scriptedPrompt(...steps);
  const files = ["prompt", "out", "err"].map((name) => join(home, name)) as [string, string, string];
  await writeFile(files[0], prompt);
  const args = line.args(request);
  const stdio = await Promise.all(files.map((file, index) => open(file, index === 0 ? "r" : "w")));
  const child = spawn(command, [...before, ...args], { cwd, env, stdio: stdio.map(({ fd }) => fd) });
  for (const handle of stdio) await handle.close();
  const end = await endOf(child, rig, turn);
  const stderr = await readFile(files[2], "utf8");
  const lines = await readFile(files[1], "utf8");
  return { argv: [line.program, ...args], prompt, ...end, stderr, lines };
}

/** The conversation's id in an agent's output. */
function conversationIn(lines: string, key: string): string {
  for (const line of lines.split("\n")) {
    const value = line.startsWith("{") && (JSON.parse(line) as Record<string, unknown>)[key];
    if (typeof value === "string") return value;
  }
  throw new Error(`no ${key} in:\n${lines}`);
}

async function conversationFor(rig: Rig, { resumes }: Scene): Promise<string | undefined> {
  const { line } = rig;
  if (resumes !== "earlier") return resumes && line.unknownConversation;
  const { lines } = await runTurn(rig, { steps: earlier, request: { isCareful: false } });
  return conversationIn(lines, line.conversationKey);
}

export async function recordScene(line: CommandLine, scene: Scene, installed: string): Promise<Recording> {
  await using model = await startModel(line.dialect);
  await using directory = await tempDir("record-");
  const home = directory.path;
  const cwd = join(home, "project");
  await mkdir(cwd);
  await makeRepository(cwd, home);
  const { isCareful = false, isRefused } = scene;
  const { env } = await line.home({ home, baseUrl: isRefused ? nowhere : model.url });
  const { command, args: before } = programs[line.program](installed);
  const careful = isCareful ? line.carefulEnv : {};
  const rig = {
    ...{ line, command, before, cwd, home },
    env: { ...cleanEnvironment(home), ...deadProxy(model.url), ...env, ...careful },
  };
  try {
    const conversation = await conversationFor(rig, scene);
    const request = { isCareful, ...(conversation === undefined ? {} : { conversation }) };
    const recording = await runTurn(rig, { ...scene, request });
    const redact = redactor({
      directories: { [home]: "/home/user", [installed]: "/opt/agents" },
      port: new URL(model.url).port,
      keys: [madeUpKey],
    });
    return JSON.parse(redact(JSON.stringify(recording))) as Recording;
  } finally {
    await killAllOf(home);
  }
}
