import { execFile } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import type { Interaction, Session } from "@drover/core";
import { api } from "../../test/kit/http.ts";
import { logInByToken } from "../../test/kit/login.ts";
import type { Server } from "../../test/kit/server.ts";
import { until } from "../../test/kit/until.ts";
import { testedPackage } from "../root.ts";
import { agents, files, type Plan, plans } from "./plans.ts";
import { workerPlans } from "./worker-plans.ts";

const run = promisify(execFile);

/** The agents of the pictures for `drover.yaml`: well-known names, played by the demo agent. */
export function stagedAgents(): Record<string, unknown> {
  const demo = [process.execPath, join(testedPackage, "dist", "agents", "demo", "main.js")];
  const args = [join(import.meta.dirname, "actor.ts"), ...demo];
  return Object.fromEntries(
    Object.entries(agents).map(([agent, name]) => [agent, { name, command: process.execPath, args }]),
  );
}

/** Sessions before workers: those that keep going take all slots. */
export const allPlans: readonly Plan[] = [...plans, ...workerPlans];

/** Three projects and a few days of work in them. */
export async function stage(server: Server): Promise<void> {
  for (const [name, contents] of Object.entries(files)) await makeProject(join(server.home, name), contents);
  const person = await asPerson(server);
  for (const plan of allPlans) await act(server, plan, person);
}

type Post = (path: string, body: unknown) => Promise<unknown>;

/** Posts as the page does, so that messages appear as a person's. */
async function asPerson(server: Server): Promise<Post> {
  const { headers } = await logInByToken(server);
  const page = api({ url: server.url, token: "" });
  return (path, body) => page.post(path, body, { ...headers, origin: server.url });
}

async function write(path: string, contents: Readonly<Record<string, string>>): Promise<void> {
  for (const [file, text] of Object.entries(contents)) {
    await mkdir(dirname(join(path, file)), { recursive: true });
    await writeFile(join(path, file), text);
  }
}

async function makeProject(path: string, contents: Readonly<Record<string, string>>): Promise<void> {
  await write(path, contents);
  await run("git", ["init", "--quiet", "--initial-branch=main"], { cwd: path });
  // For the merges, too.
  await run("git", ["config", "user.name", "Ada"], { cwd: path });
  await run("git", ["config", "user.email", "ada@example.com"], { cwd: path });
  await commitAll(path, "Begin");
}

async function commitAll(path: string, message: string): Promise<void> {
  await run("git", ["add", "."], { cwd: path });
  await run("git", ["commit", "--quiet", `--message=${message}`], { cwd: path });
}

/** A session that has its prompt. */
async function begin(
  { agent, name, title, prompt, inWorktree, worker }: Plan,
  { cwd, post }: { cwd: string; post: Post },
): Promise<Session> {
  const about = { agent, cwd, name, title };
  if (worker) {
    const { decided: _, ...wanted } = worker;
    return (await post("/api/workers", { ...about, ...wanted, prompt })) as Session;
  }
  const workspace = inWorktree ? "worktree" : "local";
  const session = (await post("/api/sessions", { ...about, workspace })) as Session;
  await post(`/api/sessions/${session.id}/messages`, { content: prompt });
  return session;
}

async function act(server: Server, plan: Plan, post: Post): Promise<void> {
  const { project, name, leftOpen, archived, worker, keepsGoing, upstream } = plan;
  const client = api(server);
  const cwd = join(server.home, project);
  const { id } = await begin(plan, { cwd, post });
  if (keepsGoing) {
    await until(async () => {
      const { state, worker: progress } = await client.get<Session>(`/api/sessions/${id}`);
      return state === "queued" || progress?.lastLine !== undefined;
    });
    return;
  }
  await until(async () => {
    const { interactions } = await client.get<{ interactions: Interaction[] }>(
      `/api/interactions?sessionId=${id}`,
    );
    if (leftOpen) return interactions.length > 0;
    // From the terminal: to the browser that takes the pictures, the page that approved would be another one.
    for (const { toolCallId } of interactions)
      await client.post(`/api/sessions/${id}/approve`, { toolCallId }, { "x-drover-client": "cli" });
    const session = await client.get<Session>(`/api/sessions/${id}`);
    return session.lastSeq > 0 && session.turn === undefined && session.queued === 0;
  });
  if (worker?.decided) await post(`/api/sessions/${id}/review`, { do: "accept" });
  if (worker?.decided === "merged") await post(`/api/sessions/${id}/merge`, { message: `Merge ${name}` });
  if (upstream) {
    await write(cwd, upstream);
    await commitAll(cwd, "Name the unit of all amounts");
  }
  if (archived) await client.patch(`/api/sessions/${id}`, { archived: true });
}
