// A logged-in page of a real server, with a real repository.
import { execFile } from "node:child_process";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import type { Session } from "@drover/core";
import type { Page } from "playwright-core";
import { afterAll } from "vitest";
import { type Api, api } from "../../../test/kit/http.ts";
import { loggedInState, logInByToken } from "../../../test/kit/login.ts";
import { openPage, type PageOptions } from "../../../test/kit/page.ts";
import { type Server, type ServerOptions, startServer } from "../../../test/kit/server.ts";
import { type BrowserSource, browserOf } from "./shared-browser.ts";
import { still } from "./visit.ts";

const run = promisify(execFile);

export interface RealVisit extends AsyncDisposable {
  readonly server: Server;
  readonly client: Api;
  readonly page: Page;
  /** A repository in the server's home. */
  readonly work: string;
  /** Console errors, and every foreign host the browser contacted. */
  readonly complaints: string[];
}

const viewport = { width: 1300, height: 800 };

type VisitOptions = Pick<PageOptions, "ownClock">;

/** A page of a new server. */
export async function visitServer(
  browser: BrowserSource,
  { ownClock = false, ...options }: ServerOptions & VisitOptions = {},
): Promise<RealVisit> {
  const server = await startServer(options);
  return open(browser, server, { ownClock, end: () => server.stop() });
}

/** One server for the tests of a suite that neither stop it nor change its settings. */
export function sharedServer(
  browser: BrowserSource,
  options: ServerOptions = {},
): (given?: VisitOptions) => Promise<RealVisit> {
  let started: Promise<Server> | undefined;
  afterAll(async () => (await started)?.stop());
  return async ({ ownClock = false } = {}) => {
    started ??= startServer(options);
    const server = await started;
    const before = await projectsOf(server);
    return open(browser, server, { ownClock, end: () => empty(server, before) });
  };
}

/** Removes what a test has created, so that the next one finds the server as it was. */
async function empty(server: Server, projects: readonly string[]): Promise<void> {
  const client = api(server);
  for (const archived of [false, true]) {
    const list = `/api/sessions?limit=200&archived=${archived}`;
    const { sessions } = await client.get<{ sessions: Session[] }>(list);
    await Promise.all(sessions.map(({ id }) => client.delete(`/api/sessions/${id}?force=true`)));
  }
  for (const id of await projectsOf(server)) {
    if (!projects.includes(id)) await client.delete(`/api/projects/${id}`);
  }
  await rm(join(server.home, "work"), { recursive: true });
}

async function projectsOf(server: Server): Promise<string[]> {
  const { projects } = await api(server).get<{ projects: { id: string }[] }>("/api/projects");
  return projects.map(({ id }) => id);
}

async function open(
  browser: BrowserSource,
  server: Server,
  { ownClock, end }: { ownClock: boolean; end(): Promise<void> },
): Promise<RealVisit> {
  const work = join(server.home, "work");
  await mkdir(work);
  const state = loggedInState({ url: server.url, ...(await logInByToken(server)) });
  const opened = await openPage(browserOf(browser), server.url, { ...still, viewport, state, ownClock });
  const { page } = opened;
  const complaints: string[] = [];
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("dialog", (dialog) => {
    complaints.push(`a dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on("request", (request) => {
    if (!request.url().startsWith(server.url)) complaints.push(`asked for ${request.url()}`);
  });
  await opened.goTo(server.url);
  const close = async () => {
    await opened[Symbol.asyncDispose]();
    await end();
  };
  return { server, client: api(server), page, work, complaints, [Symbol.asyncDispose]: close };
}

export async function git(directory: string, ...args: string[]): Promise<void> {
  const identity = { NAME: "A", EMAIL: "a@example.test" };
  const env = {
    PATH: process.env["PATH"],
    HOME: directory,
    ...Object.fromEntries(
      ["AUTHOR", "COMMITTER"].flatMap((role) =>
        Object.entries(identity).map(([key, value]) => [`GIT_${role}_${key}`, value]),
      ),
    ),
  };
  await run("git", args, { cwd: directory, env });
}

export async function write(directory: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(directory, name)), { recursive: true });
    await writeFile(join(directory, name), content);
  }
}

/** A repository whose first commit has these files. */
export async function repositoryWith(
  directory: string,
  files: Readonly<Record<string, string>>,
): Promise<void> {
  await git(directory, "init", "-q", "-b", "main");
  await write(directory, files);
  await git(directory, "add", "-A");
  await git(directory, "commit", "-q", "--allow-empty", "-m", "first");
}

export function newSession(
  { client, work }: RealVisit,
  fields: Record<string, unknown> = {},
): Promise<Session> {
  return client.post<Session>("/api/sessions", { agent: "demo", cwd: work, ...fields });
}
