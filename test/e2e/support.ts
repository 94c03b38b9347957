// What the end-to-end suites share: a home whose server can be killed and restarted, and turns in it.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import type { EventOf, Interaction, Item, Receipt, Session } from "@drover/core";
import { testedPackage } from "../../scripts/root.ts";
import { type Follower, follow, ofType } from "../kit/events.ts";
import { type Api, api } from "../kit/http.ts";
import { environmentOf, processesOf } from "../kit/processes.ts";
import { cleanEnvironment, droverCommand, type Server, startServer } from "../kit/server.ts";
import { tempDir } from "../kit/temp.ts";
import type { UntilOptions } from "../kit/until.ts";

const repository = dirname(dirname(import.meta.dirname));
const agents = join(repository, "test", "agents");

/** A program of `test/agents` as an agent of `drover.yaml`. It gets its prompts without context. */
export function kitAgent(program: string, ...args: string[]) {
  const command = { command: process.execPath, args: [join(agents, program), ...args] };
  return { name: "Kit", driver: "acp", systemVia: "meta", ...command };
}

/** An agent's command line wrapped in `tee.mjs`, which keeps a copy of its output. */
export function teed(copy: string, agent: { command: string; args: string[] }, ...options: string[]) {
  return kitAgent("tee.mjs", "--copy", copy, ...options, "--", agent.command, ...agent.args);
}

/** Arguments of an agent that writes half of its answer and waits for `release`. */
export const heldIn = (home: string) => ["--release", join(home, "released")];

/** Releases every waiting agent of the rig; later ones do not wait. */
export const release = ({ home }: Rig) => writeFile(join(home, "released"), "");

export const demoProgram = {
  command: process.execPath,
  args: [join(testedPackage, "dist", "agents", "demo", "main.js")],
};

export interface Rig extends AsyncDisposable {
  /** HOME of the server and its agents; outlives each server. */
  readonly home: string;
  /** The current server, or the last one if none is running. */
  readonly server: Server;
  /** A client that sends each request to the current server. */
  readonly client: Api;
  /** Starts a server on the same home after the last one has ended; `env` and `args` apply to this one only. */
  start(env?: Record<string, string>, args?: string[]): Promise<Server>;
}

export interface RigOptions {
  agents?: Record<string, unknown>;
  config?: Record<string, unknown>;
  env?: Record<string, string>;
  args?: string[];
}

/** A new home with a server. `options` may need the home's path, for files that agents write. */
export async function openRig(
  options: RigOptions | ((home: string) => RigOptions | Promise<RigOptions>) = {},
): Promise<Rig> {
  const directory = await tempDir("home-");
  const home = directory.path;
  const { agents, config, ...rest } = typeof options === "function" ? await options(home) : options;
  await mkdir(join(home, "work"));
  const first = { home, config: { ...config, ...(agents ? { agents } : {}) }, ...rest };
  let server = await startServer(first).catch(async (error: unknown) => {
    await directory.remove();
    throw error;
  });
  const at = (): Api => api(server);
  return {
    home,
    get server() {
      return server;
    },
    client: {
      ask: (method, path, ask) => at().ask(method, path, ask),
      get: (path) => at().get(path),
      post: (path, body, headers) => at().post(path, body, headers),
      patch: (path, body) => at().patch(path, body),
      delete: (path) => at().delete(path),
    },
    start: async (env, args = []) => {
      const own = { env: { ...rest.env, ...env }, args: [...(rest.args ?? []), ...args] };
      server = await startServer({ home, ...own });
      return server;
    },
    async [Symbol.asyncDispose]() {
      await server.stop();
      await directory.remove();
    },
  };
}

/** A session in the rig's working directory, followed from its first event. */
export async function openSession(
  rig: Rig,
  agent = "kit",
  fields: Record<string, unknown> = {},
): Promise<Conversation> {
  const cwd = join(rig.home, "work");
  const { id } = await rig.client.post<Session>("/api/sessions", { agent, cwd, ...fields });
  return new Conversation(rig, id);
}

/** A session with the client that follows it. */
export class Conversation implements AsyncDisposable {
  readonly id: string;
  readonly follower: Follower;
  readonly #rig: Rig;

  constructor(rig: Rig, id: string) {
    this.#rig = rig;
    this.id = id;
    this.follower = follow(() => rig.server, id, { after: 0 });
  }

  path(rest = ""): string {
    return `/api/sessions/${this.id}${rest}`;
  }

  get(): Promise<Session> {
    return this.#rig.client.get(this.path());
  }

  post<T = Record<string, unknown>>(action: string, body: unknown = {}): Promise<T> {
    return this.#rig.client.post(this.path(`/${action}`), body);
  }

  send(content: string, clientMessageId?: string): Promise<Receipt> {
    return this.post("messages", { content, ...(clientMessageId ? { clientMessageId } : {}) });
  }

  /** Sends a message and waits for its turn's last event. */
  async turn(content: string, options?: UntilOptions): Promise<EventOf<"done">> {
    const { messageId } = await this.send(content);
    return this.done(messageId, options);
  }

  /** The last event of the turn that this message begins. */
  async done(messageId: string, options: UntilOptions = {}): Promise<EventOf<"done">> {
    const { follower } = this;
    const start = await follower.until<EventOf<"turn_start">>(
      (event) => event.type === "turn_start" && event.messageId === messageId,
      { what: `the turn of ${messageId} begins`, ...options },
    );
    return follower.until<EventOf<"done">>(
      (event) => event.type === "done" && event.turnId === start.turnId,
      { what: `the turn of ${messageId} ends`, ...options },
    );
  }

  async items(): Promise<Item[]> {
    const items: Item[] = [];
    for (let from = ""; ; ) {
      const path = this.path(`/messages?limit=200${from}`);
      const page = await this.#rig.client.get<{ items: Item[]; before?: number }>(path);
      items.unshift(...page.items);
      if (page.before === undefined) return items;
      from = `&before=${page.before}`;
    }
  }

  async openInteractions(): Promise<Interaction[]> {
    const found = await this.#rig.client.get<{ interactions: Interaction[] }>(
      `/api/interactions?sessionId=${this.id}`,
    );
    return found.interactions;
  }

  /** All events of one type so far. */
  all<T extends Parameters<typeof ofType>[0]>(type: T): EventOf<T>[] {
    return this.follower.events.filter(ofType(type)) as EventOf<T>[];
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.follower.close();
  }
}

/** Processes that carry a session's mark. */
export function processesOfSession(rig: Rig, sessionId: string) {
  return processesOf(rig.home).filter(({ pid }) => environmentOf(pid)?.get("DROVER_SESSION") === sessionId);
}

export async function readJson<T>(path: string): Promise<T> {
  return JSON.parse(await readFile(path, "utf8")) as T;
}

/** Everything the agent said in its messages, from the bytes it wrote. */
export function saidIn(output: string): string {
  const said: string[] = [];
  for (const line of output.split("\n")) {
    if (!line.includes('"agent_message_chunk"')) continue;
    const { params } = JSON.parse(line) as { params: { update: { content: { text: string } } } };
    said.push(params.update.content.text);
  }
  return said.join("");
}

export interface Ran {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Runs `drover ARGS…` to completion on the home, as a person would. */
export async function drover(home: string, ...args: string[]): Promise<Ran> {
  const env = { ...cleanEnvironment(home), DROVER_NO_AUTOSTART: "1" };
  const child = spawn(process.execPath, [droverCommand, ...args], { env, stdio: ["ignore", "pipe", "pipe"] });
  const [stdout, stderr] = [text(child.stdout), text(child.stderr)];
  const [code] = (await once(child, "exit")) as [number | null];
  return { code, stdout: await stdout, stderr: await stderr };
}

/** Random numbers in [0, 1) that are the same in every run. */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
