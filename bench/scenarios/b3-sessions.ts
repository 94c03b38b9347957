import { execFile } from "node:child_process";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Session } from "@drover/core";
import { type Api, api } from "../../test/kit/http.ts";
import { startServer } from "../../test/kit/server.ts";
import { tempDir } from "../../test/kit/temp.ts";
import { until } from "../../test/kit/until.ts";
import { builtCommand, ensureBuilt } from "../kit/built.ts";
import type { Program } from "../kit/burst-agent.ts";
import { SocketCrowd } from "../kit/socket-crowd.ts";
import { quantile } from "../kit/stats.ts";
import { spreadOver, type TrickleOrder, trickleProgram } from "../kit/trickle-agent.ts";
import { now } from "../kit/unit.ts";
import { cpuSecondsOf, forgetPeak, memoryOf } from "../kit/usage.ts";
import type { BareCrowd } from "../programs/bare-crowd.ts";
import type { Check, Figure, RunOptions, Scenario } from "../scenario.ts";

interface Size {
  readonly sessions: number;
  readonly clients: number;
  readonly count: number;
  readonly rate: number;
  /** Time for every prompt to reach its agent before the first update is due. */
  readonly leadMs: number;
}

const size = ({ smoke }: RunOptions): Size =>
  smoke
    ? { sessions: 20, clients: 4, count: 4, rate: 8, leadMs: 300 }
    : { sessions: 1_000, clients: 100, count: 60, rate: 2, leadMs: 10_000 };

const orderOf = ({ count, rate, leadMs }: Size): TrickleOrder => ({
  count,
  rate,
  start: now() + leadMs * 1000,
});

/** A few at a time, as in practice. */
async function each<T>(all: readonly T[], act: (one: T, n: number) => Promise<unknown>): Promise<void> {
  const entries = all.entries();
  const walk = async () => {
    for (const [n, one] of entries) await act(one, n);
  };
  await Promise.all(Array.from({ length: 16 }, walk));
}

/** The same agents without Drover. */
async function bareCrowd(size: Size): Promise<BareCrowd> {
  const program = join(import.meta.dirname, "..", "programs", "bare-crowd.ts");
  const argument = JSON.stringify({ sessions: size.sessions, order: orderOf(size) });
  const run = promisify(execFile)(process.execPath, ["-C", "source", program, argument], {
    maxBuffer: 1 << 28,
  });
  return JSON.parse((await run).stdout) as BareCrowd;
}

const say = (client: Api, id: string, order: TrickleOrder) =>
  client.post(`/api/sessions/${id}/messages`, { content: JSON.stringify(order) });

/** Starts sessions whose agents are running and have written once, as they would be after an hour's work. */
async function openSessions(client: Api, cwd: string, count: number): Promise<Session[]> {
  const ids: string[] = [];
  await each(Array.from({ length: count }), async () => {
    const { id } = await client.post<Session>("/api/sessions", { agent: "trickle", cwd });
    ids.push(id);
    await say(client, id, { count: 1, rate: 1, start: 0 });
  });
  const busy = () => client.get<{ sessions: Session[] }>("/api/sessions?state=running&limit=1");
  const starting = () => client.get<{ sessions: Session[] }>("/api/sessions?state=starting&limit=1");
  const isQuiet = async () => (await busy()).sessions.length + (await starting()).sessions.length === 0;
  await until(isQuiet, { deadline: 600_000, what: "every agent has written once" });
  const sessions: Session[] = [];
  await each(ids, async (id) => sessions.push(await client.get<Session>(`/api/sessions/${id}`)));
  return sessions;
}

interface Trickled {
  /** Latencies of all updates except each session's first and last. */
  readonly latencies: readonly number[];
  /** Latencies of the last updates: all turns end in the same half second, and every client is notified of each. */
  readonly lastLatencies: readonly number[];
  readonly memoryMb: number;
  readonly peakMb: number;
  readonly busy: number;
  readonly checks: readonly Check[];
}

async function trickle(size: Size, program: Program, progress: RunOptions["progress"]): Promise<Trickled> {
  await using home = await tempDir("home-");
  const cwd = join(home.path, "work");
  await mkdir(cwd);
  const config = {
    agents: { trickle: { driver: "acp", systemVia: "meta", ...program } },
    log: { level: "warn" },
  };
  // The built package, because running from source takes more memory.
  await ensureBuilt();
  await using server = await startServer({ home: home.path, config, command: builtCommand });
  const client = api(server);
  progress(`${size.sessions} agents: starting`);
  const sessions = await openSessions(client, cwd, size.sessions);
  const opened = sessions.map(({ id, lastSeq }) => ({ id, after: lastSeq }));
  using crowd = await SocketCrowd.open(server, opened, size.clients);
  progress(`${size.sessions} sessions stream to ${size.clients} clients`);
  const order = orderOf(size);
  await each(sessions, ({ id }, n) => say(client, id, spreadOver(order, n, size.sessions)));
  const { pid } = server;
  forgetPeak(pid);
  const [spent, start] = [cpuSecondsOf(pid), now()];
  await crowd.ended();
  const busy = (cpuSecondsOf(pid) - spent) / ((now() - start) / 1e6);
  const { now: memoryMb, peak: peakMb } = memoryOf(pid);
  const whole = crowd.tallies.filter((tally) => tally.isWhole({ count: size.count })).length;
  return {
    latencies: crowd.tallies.flatMap(({ latencies }) => latencies.slice(1, -1)),
    lastLatencies: crowd.tallies.flatMap(({ latencies }) => latencies.slice(-1)),
    ...{ memoryMb, peakMb, busy },
    checks: [
      {
        what: "every session's updates are read once and in order",
        ok: whole === size.sessions && crowd.gaps === 0 && crowd.closed === 0,
        seen: `${whole} of ${size.sessions} whole, ${crowd.gaps} gaps, ${crowd.closed} sockets closed`,
      },
    ],
  };
}

export const b3: Scenario = {
  id: "B3",
  title:
    "1,000 sessions, each with its own process, at 2 events/s; durable, 100 clients with ten sessions each",
  async run(options) {
    const program = trickleProgram();
    if (program === undefined) {
      options.progress("Perl is not installed; skipped");
      return { figures: [], checks: [] };
    }
    const sizes = size(options);
    options.progress(`${sizes.sessions} agents on pipes`);
    const bare = await bareCrowd(sizes);
    const drover = await trickle(sizes, program, options.progress);
    const what = "the same agents on pipes of one program";
    const late = (share: number): Figure => ({
      what: `p${share * 100}, written to read`,
      value: quantile(drover.latencies, share),
      unit: "ms",
      floor: { what, value: quantile(bare.latencies, share) },
      ...(share === 0.99 ? { target: "< 10 ms" } : {}),
    });
    return {
      figures: [
        late(0.5),
        late(0.99),
        {
          ...{ what: "p99 of the last update, when all turns end", unit: "ms" },
          value: quantile(drover.lastLatencies, 0.99),
        },
        {
          ...{ what: "server: memory", value: drover.memoryMb, unit: "MB", target: "< 150 MB" },
          floor: { what, value: bare.memoryMb },
        },
        { what: "server: peak memory", value: drover.peakMb, unit: "MB" },
        { what: "processors the server keeps busy", value: Math.round(drover.busy * 100) / 100, unit: "" },
      ],
      checks: drover.checks,
    };
  },
};
