import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { dirname } from "node:path";
import { Fault, searchPath } from "@drover/core";
import { MARK } from "../process/environment.ts";
import { identifyChild } from "../process/identity.ts";
import { killTree } from "../process/tree.ts";

export interface NpmRun {
  /** Where it installs: a directory with a package.json and its lockfile. */
  readonly directory: string;
  readonly env: Readonly<Record<string, string>>;
  /** Called with npm's output as it arrives. */
  readonly onOutput?: (text: string) => void;
  /** Ends it early. */
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
}

/** The largest program has 250 MB, and some connections are slow. */
export const INSTALL_TIMEOUT_MS = 10 * 60_000;
const GRACE_MS = 500;
const MAX_OUTPUT = 16_384;
const MAX_WORDS = 400;

/**
 * Makes npm install exactly what a lockfile says, without running any package scripts. Everything it started has ended
 * when this settles. Rejects with a Fault that contains npm's message.
 */
export async function npmCi(run: NpmRun): Promise<void> {
  const { directory, onOutput, timeoutMs = INSTALL_TIMEOUT_MS } = run;
  const signals = [AbortSignal.timeout(timeoutMs), ...(run.signal ? [run.signal] : [])];
  const limit = AbortSignal.any(signals);
  const mark = `npm-${randomUUID()}`;
  const child = spawn("npm", ["ci", ...options], {
    cwd: directory,
    env: npmEnvironment(run.env, mark),
    stdio: ["ignore", "pipe", "pipe"],
  });
  const identity = child.pid === undefined ? undefined : identifyChild(child.pid);
  let said = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      said = (said + text).slice(-MAX_OUTPUT);
      onOutput?.(text);
    });
  }
  try {
    const [code] = await once(child, "close", { signal: limit });
    if (code !== 0) throw failure(code, said);
  } catch (error) {
    if (error instanceof Fault) throw error;
    if (run.signal?.aborted) throw new Fault("AGENT_MISSING", "npm was aborted.");
    if (limit.aborted) {
      throw new Fault("TIMEOUT", `npm did not finish within ${timeoutMs / 1000} s and was stopped.`);
    }
    const why = error instanceof Error ? error.message : String(error);
    const next = "Install Node.js with npm, so that it is found on PATH.";
    throw new Fault("AGENT_MISSING", `npm could not be started (${why}). ${next}`);
  } finally {
    if (identity) await killTree({ identity, mark, grace: GRACE_MS });
  }
}

const options = [
  "--ignore-scripts",
  // An agent's own program is often an optional package, whatever a person's settings say about those.
  "--include=optional",
  ...["--no-audit", "--no-fund", "--no-update-notifier"],
];

function npmEnvironment(env: Readonly<Record<string, string>>, mark: string): Record<string, string> {
  return {
    ...env,
    // A server started by the full path of its Node may not have npm on PATH; it lies beside Node.
    PATH: searchPath([env["PATH"], dirname(process.execPath)].join(":")),
    // npm on a newer Node does not use the system's certificates by default.
    NODE_USE_SYSTEM_CA: "1",
    [MARK]: mark,
  };
}

function failure(code: unknown, said: string): Fault {
  const words = errorWords(said);
  const isNetwork = /\b(ENOTFOUND|EAI_AGAIN|ECONN\w+|ETIMEDOUT|E?NETWORK|\w*CERT\w*)\b/.test(words);
  const next = isNetwork
    ? " npm's registry must be reachable from here."
    : /\bEINTEGRITY\b/.test(words)
      ? " The registry sent a package that does not match Drover's lockfile. Nothing was installed."
      : "";
  return new Fault(isNetwork ? "NETWORK" : "AGENT_MISSING", `npm ended with ${code}: ${words}.${next}`);
}

/** npm's name for the error, without its prefix and the location of its log; else its last output. */
function errorWords(said: string): string {
  const lines = said.split("\n").map((line) => line.trim());
  const errors = lines.flatMap((line) => /^npm (?:error|ERR!) (.+)$/.exec(line)?.[1] ?? []);
  // Indented lines are stack frames and the fields of the error.
  const telling = errors.filter((line) => !/^(?:\s|[{}\]]|A complete log of this run)/.test(line));
  const words =
    telling.length > 0 ? telling.join("; ") : (lines.findLast((line) => line) ?? "it said nothing");
  return words.slice(0, MAX_WORDS).replace(/[.\s]+$/, "");
}
