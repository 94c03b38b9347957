// A session whose agent attempts operations, and the table in SECURITY.md that says which are allowed.
import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { cleanEnvironment, droverCommand } from "../kit/server.ts";
import { type Conversation, kitAgent, openSession, type Rig, readJson } from "./support.ts";

const repository = dirname(dirname(import.meta.dirname));
const program = join(import.meta.dirname, "attempts.mjs");

export type Attempt =
  | {
      readonly method: string;
      readonly path: string;
      readonly body?: unknown;
      readonly headers?: Record<string, string>;
    }
  | { readonly type: string; readonly fields: Record<string, unknown> }
  | { readonly args: readonly string[] };

export interface Outcome {
  readonly status?: number;
  readonly exit?: number;
  readonly body: Record<string, unknown>;
}

/** What the table allows a session's process. */
export type Allowed = "yes" | "its own session" | "not looser" | "no";

/** The table in SECURITY.md: every operation and whether it is allowed. */
export async function readTable(): Promise<Map<string, Allowed>> {
  const text = await readFile(join(repository, "SECURITY.md"), "utf8");
  const section = text.split("## What a session's process may do")[1]?.split("\n## ")[0] ?? "";
  const table = new Map<string, Allowed>();
  for (const [, names = "", allowed = ""] of section.matchAll(/^\| (`.+`) \| (.+?) \|$/gm)) {
    for (const [, name = ""] of names.matchAll(/`([^`]+)`/g)) {
      if (table.has(name)) throw new Error(`${name} is in the table twice`);
      table.set(name, allowed as Allowed);
    }
  }
  return table;
}

async function prepare(rig: Rig, attempts: readonly Attempt[]): Promise<{ input: string; output: string }> {
  const input = join(rig.home, `attempts-${randomUUID()}`);
  await writeFile(input, JSON.stringify({ drover: droverCommand, attempts }));
  return { input, output: `${input}.out` };
}

/** The command that makes these attempts, and the file to which it writes their outcomes. */
export async function commandFor(rig: Rig, attempts: readonly Attempt[]) {
  const { input, output } = await prepare(rig, attempts);
  return { command: `'${process.execPath}' '${program}' '${input}' '${output}'`, output };
}

/** Makes these attempts from the shell of a session's agent. */
export async function inside(
  rig: Rig,
  session: Conversation,
  attempts: readonly Attempt[],
): Promise<Outcome[]> {
  const { command, output } = await commandFor(rig, attempts);
  // Dozens of commands, each of which can take a second on a busy machine.
  await session.turn(command, { deadline: 120_000 });
  return readJson(output);
}

/** Makes the same attempts from a program that no session has started. */
export async function outside(rig: Rig, attempts: readonly Attempt[]): Promise<Outcome[]> {
  const { input, output } = await prepare(rig, attempts);
  const env = cleanEnvironment(rig.home);
  const child = spawn(process.execPath, [program, input, output], { env, stdio: "inherit" });
  await once(child, "exit");
  return readJson(output);
}

/** A session whose agent runs each message as a command. */
export const openShell = (rig: Rig, fields: Record<string, unknown> = {}): Promise<Conversation> =>
  openSession(rig, "shell", fields);

/** The agents of a rig whose sessions make such attempts. */
export const insideAgents = {
  shell: kitAgent("runs-commands.mjs"),
  kit: kitAgent("echo.mjs"),
  text: { driver: "text", command: process.execPath, args: ["-e", "0"] },
};

export const isRefused = ({ body, exit }: Outcome): boolean =>
  body["code"] === "AGENT_CANNOT_ANSWER" || exit === 7;
