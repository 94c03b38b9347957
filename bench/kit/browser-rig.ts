// A real server, a real Chromium that is logged in to it, and sessions with transcripts of real agents.
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Session } from "@drover/core";
import type { CDPSession, Page } from "playwright-core";
import { launchBrowser } from "../../test/kit/browser.ts";
import { api } from "../../test/kit/http.ts";
import { startServer } from "../../test/kit/server.ts";
import { tempDir } from "../../test/kit/temp.ts";
import { until } from "../../test/kit/until.ts";
import { burstProgram } from "./burst-agent.ts";

export interface BrowserRig extends AsyncDisposable {
  readonly url: string;
  readonly page: Page;
  /** Creates a session of this agent and waits for the end of its turn. */
  write(agent: "burst" | "colleague", order: object): Promise<Session>;
  /** The same without waiting for the end. */
  begin(agent: "burst" | "colleague", order: object): Promise<Session>;
  ended(session: Session): Promise<Session>;
  /** The JavaScript heap in use, in megabytes, and the nodes of the document, after a garbage collection. */
  weigh(): Promise<Weight>;
}

export interface Weight {
  readonly heapMb: number;
  readonly nodes: number;
}

const colleagueProgram = {
  command: process.execPath,
  args: [join(import.meta.dirname, "..", "agents", "colleague.ts")],
};

export async function openBrowserRig(): Promise<BrowserRig> {
  const directory = await tempDir("home-");
  const cwd = join(directory.path, "work");
  await mkdir(cwd);
  const agents = {
    burst: { driver: "acp", systemVia: "meta", ...burstProgram },
    colleague: { driver: "acp", systemVia: "meta", ...colleagueProgram },
  };
  const server = await startServer({ home: directory.path, config: { agents, log: { level: "warn" } } });
  const browser = await launchBrowser();
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  const devtools = await page.context().newCDPSession(page);
  await page.goto(server.login);
  await page.waitForURL(`${server.url}/`);

  const begin: BrowserRig["begin"] = async (agent, order) => {
    const session = await api(server).post<Session>("/api/sessions", { agent, cwd });
    await api(server).post(`/api/sessions/${session.id}/messages`, { content: JSON.stringify(order) });
    return session;
  };
  const ended: BrowserRig["ended"] = async ({ id, name }) => {
    const read = () => api(server).get<Session>(`/api/sessions/${id}`);
    await until(async () => (await read()).turn === undefined, {
      deadline: 900_000,
      what: `the turn of ${name} ends`,
    });
    return read();
  };
  return {
    url: server.url,
    page,
    begin,
    ended,
    write: async (agent, order) => ended(await begin(agent, order)),
    weigh: () => weigh(devtools),
    async [Symbol.asyncDispose]() {
      await browser.close();
      await server.stop();
      await directory.remove();
    },
  };
}

async function weigh(devtools: CDPSession): Promise<Weight> {
  await devtools.send("HeapProfiler.collectGarbage");
  const { usedSize } = await devtools.send("Runtime.getHeapUsage");
  const { nodes } = await devtools.send("Memory.getDOMCounters");
  return { heapMb: usedSize / 1024 ** 2, nodes };
}
