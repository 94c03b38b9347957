// A real server in its own home, with the burst agent configured, and one session of it.
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Receipt, Session, SessionEvent } from "@drover/core";
import { api } from "../../test/kit/http.ts";
import { type Server, startServer } from "../../test/kit/server.ts";
import { tempDir } from "../../test/kit/temp.ts";
import { type BurstOrder, type BurstReport, burstProgram, reportAt } from "./burst-agent.ts";
import { EventReader } from "./event-reader.ts";
import type { Finding } from "./ledger.ts";
import { Transcript } from "./transcript.ts";

export interface Rig extends AsyncDisposable {
  /** The current or last server. */
  readonly server: Server;
  /** Starts another server on the same home after the last one has ended. */
  restart(): Promise<Server>;
  openSession(): Promise<BurstSession>;
}

/** `env` applies to the servers, not to their agents. */
export async function openRig(env: Record<string, string> = {}): Promise<Rig> {
  const directory = await tempDir("home-");
  const home = directory.path;
  const cwd = join(home, "work");
  await mkdir(cwd);
  const config = {
    agents: { burst: { driver: "acp", systemVia: "meta", ...burstProgram } },
    log: { level: "warn" },
  };
  let server = await startServer({ home, config, env });
  return {
    get server() {
      return server;
    },
    restart: async () => {
      server = await startServer({ home, env });
      return server;
    },
    openSession: async () => {
      const { id } = await api(server).post<Session>("/api/sessions", { agent: "burst", cwd });
      return new BurstSession(() => server, { id, cwd });
    },
    async [Symbol.asyncDispose]() {
      await server.stop();
      await directory.remove();
    },
  };
}

/** A running turn: its number of updates is known, its text is being read. */
export interface BurstTurn {
  readonly turnId: string;
  readonly order: BurstOrder;
  /** The agent's report of what it wrote. */
  report(): Promise<BurstReport>;
}

/** A session with a client that reads it from its first event. */
export class BurstSession implements Disposable {
  readonly id: string;
  readonly reader: EventReader;
  readonly transcript = new Transcript();
  readonly #server: () => Server;
  readonly #cwd: string;
  #turns = 0;

  constructor(server: () => Server, { id, cwd }: { id: string; cwd: string }) {
    this.id = id;
    this.#server = server;
    this.#cwd = cwd;
    this.reader = this.read((frame, at) => this.transcript.take(frame, at));
  }

  /** Closes its own client and returns the cursor where other clients begin. */
  async leave(): Promise<{ sessionId: string; after: number }> {
    this.reader.drop();
    const { lastSeq } = await api(this.#server()).get<Session>(`/api/sessions/${this.id}`);
    return { sessionId: this.id, after: lastSeq };
  }

  /** Another client of the same session, from its first event. */
  read(onFrame: (frame: SessionEvent, at: number) => void): EventReader {
    return new EventReader({ target: this.#server, sessionId: this.id, onFrame });
  }

  async send(order: BurstOrder): Promise<BurstTurn> {
    const report = join(this.#cwd, `turn-${++this.#turns}.json`);
    const content = JSON.stringify({ ...order, report });
    const path = `/api/sessions/${this.id}/messages`;
    const { turnId } = await api(this.#server()).post<Receipt>(path, { content });
    if (turnId === undefined)
      throw new Error("The message was queued because the previous turn has not ended");
    return { turnId, order, report: () => reportAt(report) };
  }

  /** Resolves as soon as the client reads the end of the turn; throws if the turn failed. */
  async done({ turnId, order }: BurstTurn): Promise<void> {
    // The slowest machine this runs on stores more than 10,000 updates a second.
    const deadline = 30_000 + (order.count / (order.rate ?? 10_000)) * 1000;
    const { transcript } = this;
    await transcript.until(() => transcript.dones(turnId).length > 0, { deadline, what: `${turnId} ends` });
    const reasons = transcript.dones(turnId).map(({ reason }) => reason);
    if (reasons.join() !== "end_turn") throw new Error(`The turn ended with ${reasons.join(", ")}`);
  }

  /** Checks a whole turn against the agent's report. */
  async check(turn: BurstTurn, transcript = this.transcript): Promise<Finding> {
    return transcript.ledger(turn.turnId).settle(await turn.report());
  }

  /** Starts the agent, so that no later turn includes its start. */
  async warmUp(): Promise<void> {
    await this.done(await this.send({ count: 1 }));
  }

  [Symbol.dispose](): void {
    this.reader[Symbol.dispose]();
  }
}
