import { type ChildProcessByStdio, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Readable, Writable } from "node:stream";
import { type Preset, withTrust } from "@drover/core";
import { MARK } from "../process/environment.ts";
import { identifyChild } from "../process/identity.ts";
import { killTree } from "../process/tree.ts";
import { environmentOf } from "./inspect.ts";
import { findProgram, type Program, type ProgramSearch } from "./locate.ts";

/** What a program reported when it was started, or why it did not. */
export type DryRun =
  | { readonly ok: true; readonly said: string }
  | { readonly ok: false; readonly why: string };

/** Longer than the slowest of them takes to start on a busy machine. */
const PATIENCE_MS = 20_000;
const GRACE_MS = 1_000;
const MAX_OUTPUT = 65_536;

/**
 * Starts an agent's program without a prompt and ends everything it started: it reports its version, or answers
 * `initialize` if it speaks ACP. Undefined if there is nothing to start.
 */
export async function dryRun(preset: Preset, search: ProgramSearch): Promise<DryRun | undefined> {
  const found = await findProgram(preset, search);
  if (!found || isLibrary(preset)) return undefined;
  const directory = await emptyDirectory(search).catch((error: Error) => error);
  if (directory instanceof Error) return { ok: false, why: directory.message };
  try {
    return await startIn(directory, preset, { ...search, found });
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/**
 * Agents read settings from their working directory and the directories above. In the temporary directory others could
 * have placed some; above this one there are only people's own.
 */
async function emptyDirectory({ agents }: ProgramSearch): Promise<string> {
  await mkdir(agents, { recursive: true, mode: 0o700 });
  return mkdtemp(join(agents, ".trying-"));
}

/** As in an untrusted project. */
async function startIn(
  cwd: string,
  preset: Preset,
  { found, ...search }: ProgramSearch & { found: Program },
): Promise<DryRun> {
  const speaks = preset.driver === "acp";
  const untrusted = withTrust(speaks ? preset : { ...preset, args: [] }, false);
  const mark = `doctor-${randomUUID()}`;
  const child = spawn(found.command, [...found.args, ...untrusted.args, ...(speaks ? [] : ["--version"])], {
    cwd,
    env: { ...environmentOf(untrusted, search), [MARK]: mark },
    detached: true,
    stdio: ["pipe", "pipe", "pipe"],
  });
  if (child.pid === undefined) return { ok: false, why: await reasonOf(child) };
  const identity = identifyChild(child.pid);
  try {
    return await (speaks ? shakeHands(child) : askVersion(child));
  } finally {
    await killTree({ identity, mark, grace: GRACE_MS });
  }
}

const isLibrary = ({ package: npm }: Preset): boolean => npm !== undefined && npm.bin === undefined;

type Child = ChildProcessByStdio<Writable, Readable, Readable>;

const reasonOf = (child: Child): Promise<string> =>
  new Promise((resolve) => child.once("error", (error) => resolve(error.message)));

const HELLO = {
  jsonrpc: "2.0",
  id: 0,
  method: "initialize",
  params: { protocolVersion: 1, clientInfo: { name: "drover", version: "0" }, clientCapabilities: {} },
};

function shakeHands(child: Child): Promise<DryRun> {
  // It may end before it reads.
  child.stdin.on("error", () => undefined);
  child.stdin.write(`${JSON.stringify(HELLO)}\n`);
  return listen(child, ({ output, exitCode }) => {
    const answer = output.split("\n").find((line) => /"id"\s*:\s*0\b/.test(line) && isJson(line));
    if (answer === undefined) {
      return exitCode === undefined ? undefined : { ok: false, why: "it exited without an answer" };
    }
    return answer.includes('"result"')
      ? { ok: true, said: "answers over ACP" }
      : { ok: false, why: `it rejected "initialize": ${answer.slice(0, 200)}` };
  });
}

function askVersion(child: Child): Promise<DryRun> {
  child.stdin.end();
  return listen(child, ({ output, errors, exitCode }) => {
    if (exitCode === undefined) return undefined;
    if (exitCode !== 0) return { ok: false, why: `it exited with ${exitCode}` };
    // Some report it on stderr.
    const version = /\d+\.\d+(?:[.+-][\w]+)*/.exec(output || errors)?.[0];
    return version ? { ok: true, said: version } : { ok: false, why: "it did not report its version" };
  });
}

interface Output {
  readonly output: string;
  readonly errors: string;
  /** Set once it has ended; null after a signal. */
  readonly exitCode?: number | null;
}

/** The verdict of `judge` on the output so far, asked again with every piece and at the end. */
function listen(child: Child, judge: (output: Output) => DryRun | undefined): Promise<DryRun> {
  const { promise, resolve } = Promise.withResolvers<DryRun>();
  let output = "";
  let errors = "";
  const decide = (ended: Pick<Output, "exitCode">): void => {
    const judged = judge({ output, errors, ...ended });
    if (judged?.ok === false && errors.trim())
      resolve({ ...judged, why: `${judged.why} (${lastLine(errors)})` });
    else if (judged) resolve(judged);
  };
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    output = (output + text).slice(0, MAX_OUTPUT);
    decide({});
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    errors = (errors + text).slice(-MAX_OUTPUT);
  });
  child.once("close", (exitCode) => decide({ exitCode }));
  const timer = setTimeout(
    () => resolve({ ok: false, why: `it said nothing for ${PATIENCE_MS / 1000} s` }),
    PATIENCE_MS,
  );
  return promise.finally(() => clearTimeout(timer));
}

const lastLine = (text: string): string => text.trim().split("\n").at(-1)?.slice(0, 200) ?? "";

function isJson(line: string): boolean {
  try {
    JSON.parse(line);
    return true;
  } catch {
    return false;
  }
}
