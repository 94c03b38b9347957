// One timed start of a `drover` command on an empty home. Every time comes from an event; nothing is polled.
import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import type { Session } from "@drover/core";
import { api } from "../../test/kit/http.ts";
import { killAllOf } from "../../test/kit/processes.ts";
import { cleanEnvironment, type Target } from "../../test/kit/server.ts";
import { tempDir } from "../../test/kit/temp.ts";
import { EventReader } from "./event-reader.ts";
import { Transcript } from "./transcript.ts";
import { now } from "./unit.ts";

export interface ColdStart {
  /** From the start of the process to the answer to its health check. */
  readonly healthMs: number;
  /** From there to the demo agent's first output, including the agent's start. */
  readonly firstWordMs: number;
}

/** `compiled` is Node's compile cache, which a person's next start would use too. */
export async function coldStart(command: string, compiled: string): Promise<ColdStart> {
  await using home = await tempDir("home-");
  const cwd = join(home.path, "work");
  await mkdir(cwd);
  const start = now();
  const child = spawn(process.execPath, [command, "serve", "--port", "0", "--json"], {
    cwd,
    env: { ...cleanEnvironment(home.path), NODE_COMPILE_CACHE: compiled },
    stdio: ["ignore", "pipe", "inherit"],
  });
  try {
    const url = await listening(child);
    await api({ url, token: "" }).get("/api/health");
    const healthy = now();
    const token = (await readFile(join(home.path, ".drover", "token"), "utf8")).trim();
    await firstWord({ url, token }, cwd);
    return { healthMs: (healthy - start) / 1000, firstWordMs: (now() - healthy) / 1000 };
  } finally {
    const exited = once(child, "exit");
    // SIGTERM, because Node writes its compile cache only when a process exits normally.
    child.kill("SIGTERM");
    await exited;
    await killAllOf(home.path);
  }
}

/** How long Node itself takes to start and exit. */
export async function bareStart(): Promise<number> {
  const start = now();
  await once(spawn(process.execPath, ["--eval", "0"], { stdio: "ignore" }), "exit");
  return (now() - start) / 1000;
}

async function listening(child: ChildProcessByStdio<null, Readable, null>): Promise<string> {
  for await (const line of createInterface({ input: child.stdout })) {
    if (line.startsWith("{")) return (JSON.parse(line) as { url: string }).url;
  }
  throw new Error("The server exited before it listened");
}

async function firstWord(target: Target, cwd: string): Promise<void> {
  const client = api(target);
  const { id } = await client.post<Session>("/api/sessions", { agent: "demo", cwd });
  const transcript = new Transcript();
  const onFrame = transcript.take.bind(transcript);
  using _reader = new EventReader({ target: () => target, sessionId: id, onFrame });
  await client.post(`/api/sessions/${id}/messages`, { content: "say hello" });
  await transcript.until(() => transcript.frames > 0, { what: "the demo agent's first output" });
}
