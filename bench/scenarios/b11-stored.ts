import type { Session } from "@drover/core";
import { api } from "../../test/kit/http.ts";
import { type Server, startServer } from "../../test/kit/server.ts";
import { tempDir } from "../../test/kit/temp.ts";
import { getting, type Look, opening, pageLoad, timesOf } from "../kit/looks.ts";
import { median } from "../kit/stats.ts";
import { fillHome, type Shape, type StoredHome } from "../kit/stored-home.ts";
import { now } from "../kit/unit.ts";
import { memoryOf } from "../kit/usage.ts";
import type { Check, Figure, RunOptions, Scenario } from "../scenario.ts";

interface Sizes {
  readonly few: Shape;
  readonly many: Shape;
  /** How often each request is made, and how many sessions are opened. */
  readonly rounds: number;
  readonly opened: number;
}

/** The long session is the same in both, so that only the rest of the store differs. */
const sizes = ({ smoke }: RunOptions): Sizes => {
  const longTurns = smoke ? 20 : 800;
  return {
    few: { sessions: smoke ? 20 : 100, longTurns },
    many: { sessions: smoke ? 60 : 10_000, longTurns },
    rounds: smoke ? 2 : 40,
    opened: smoke ? 20 : 1_000,
  };
};

interface Question {
  readonly what: string;
  readonly look: Look;
  readonly target?: string;
}

const list = (query: Record<string, string>) => getting(`/api/sessions?${new URLSearchParams(query)}`);

/** The same page sizes on both stores, because the measurement is about finding them. */
function questionsOf({ sharedDirectory, loneDirectory, long, short }: StoredHome): Question[] {
  return [
    { what: "list, first page of 50", look: list({}), target: "< 20 ms" },
    {
      what: "list, five of a directory",
      look: list({ cwd: sharedDirectory, limit: "5" }),
      target: "< 20 ms",
    },
    { what: "list, a directory with one old session", look: list({ cwd: loneDirectory }), target: "< 20 ms" },
    { what: "list, a state of one old session", look: list({ state: "stopped" }), target: "< 20 ms" },
    { what: "list, a state without sessions", look: list({ state: "running" }), target: "< 20 ms" },
    { what: "list, archived", look: list({ archived: "true", limit: "2" }), target: "< 20 ms" },
    { what: "open, many events", look: opening(long), target: "< 50 ms" },
    { what: "open, few events", look: opening(short), target: "< 50 ms" },
    {
      what: "a page in the middle of many events",
      look: getting(`/api/sessions/${long}/messages?before=700`),
      target: "< 50 ms",
    },
    { what: "open interactions", look: getting("/api/interactions") },
    {
      what: "a session's settled interactions",
      look: getting(`/api/interactions?state=resolved&sessionId=${short}`),
    },
    { what: "projects", look: getting("/api/projects") },
    { what: "all first requests of the page", look: pageLoad },
    {
      what: "a new session",
      look: (target) => api(target).post("/api/sessions", { agent: "demo", cwd: sharedDirectory }),
    },
  ];
}

interface Measured {
  readonly home: StoredHome;
  readonly startMs: number;
  /** The time of the first answer after the start. */
  readonly firstMs: number;
  readonly freshMb: number;
  /** After opening a thousand sessions (or the same ones repeatedly, if there are fewer). */
  readonly browsedMb: number;
  readonly times: ReadonlyMap<string, number>;
  readonly check: Check;
}

/** Every session is listed once across the pages, with all of its events. */
async function checkWhole(server: Server, home: StoredHome, what: string): Promise<Check> {
  const seen: Session[] = [];
  for (const archived of [false, true]) {
    for (let before: string | undefined = ""; before !== undefined; ) {
      const from: string = before === "" ? "" : `&before=${before}`;
      const path = `/api/sessions?limit=500&archived=${archived}${from}`;
      const page = await api(server).get<{ sessions: Session[]; before?: string }>(path);
      seen.push(...page.sessions);
      before = page.before;
    }
  }
  const events = seen.reduce((sum, { lastSeq }) => sum + lastSeq, 0);
  const distinct = new Set(seen.map(({ id }) => id)).size;
  return {
    what: `${what}: every session is listed once, with all its events`,
    ok: seen.length === home.sessions && distinct === home.sessions && events === home.events,
    seen: `${distinct} of ${home.sessions} sessions in ${seen.length} rows, ${events} of ${home.events} events`,
  };
}

async function measure(shape: Shape, options: RunOptions): Promise<Measured> {
  const { progress } = options;
  const { rounds, opened } = sizes(options);
  await using directory = await tempDir("home-");
  progress(`${shape.sessions} sessions: writing`);
  const home = await fillHome(directory.path, shape, progress);
  progress(`${shape.sessions} sessions, ${home.events} events: measuring`);
  const start = now();
  await using server = await startServer({ home: directory.path, config: { log: { level: "warn" } } });
  const startMs = (now() - start) / 1000;
  const freshMb = memoryOf(server.pid).now;
  const [firstMs = Number.NaN] = await timesOf(list({}), server, 1);
  const check = await checkWhole(server, home, `${shape.sessions} sessions`);
  for (let n = 0; n < opened; n++) await opening(`stored-${n % shape.sessions}`)(server);
  const browsedMb = memoryOf(server.pid).now;
  const times = new Map<string, number>();
  for (const { what, look } of questionsOf(home)) {
    await timesOf(look, server, Math.ceil(rounds / 4));
    times.set(what, median(await timesOf(look, server, rounds)));
  }
  return { home, startMs, firstMs, freshMb, browsedMb, times, check };
}

export const b11: Scenario = {
  id: "B11",
  title: "a store with 10,000 sessions and 5 M events, compared with one with 100 sessions",
  async run(options) {
    const { few, many } = sizes(options);
    const small = await measure(few, options);
    const large = await measure(many, options);
    const floor = (value: number) => ({ what: `${few.sessions} sessions`, value });
    const figure = (what: string, unit: "ms" | "MB", of: (measured: Measured) => number): Figure => ({
      ...{ what, value: of(large), unit },
      floor: floor(of(small)),
    });
    return {
      figures: [
        { what: "events stored", value: large.home.events, unit: "", floor: floor(small.home.events) },
        figure("server: start to listening", "ms", ({ startMs }) => startMs),
        figure("server: memory when it listens", "MB", ({ freshMb }) => freshMb),
        figure("server: memory after a thousand sessions were opened", "MB", ({ browsedMb }) => browsedMb),
        figure("the first answer after the start: list", "ms", ({ firstMs }) => firstMs),
        ...questionsOf(large.home).map(({ what, target }) => ({
          ...figure(what, "ms", ({ times }) => times.get(what) ?? Number.NaN),
          ...(target ? { target } : {}),
        })),
      ],
      checks: [small.check, large.check],
    };
  },
};
