import { execFile } from "node:child_process";
import { findExecutable } from "../process/executable.ts";
import type { Branches, Forge } from "./forge.ts";

export interface PullText extends Branches {
  readonly title: string;
  readonly body: string;
}

export interface ProgramPlace {
  /** What a person's own programs get. */
  readonly environment: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

export interface OpenedPull {
  readonly url?: string;
  /** Why there is none. */
  readonly problem?: string;
}

/**
 * Finds the open pull request of a branch, or opens one, with the forge's own program and the login that it has.
 * Undefined if it is not installed. It runs outside of any repository, so nothing in one counts.
 */
export async function openPull(
  forge: Forge,
  text: PullText,
  place: ProgramPlace,
): Promise<OpenedPull | undefined> {
  const { program } = forge;
  if (program === undefined) return undefined;
  const { environment } = place;
  const file = await findExecutable({ command: program, cwd: "/", env: environment }).catch(() => undefined);
  if (file === undefined) return undefined;
  const ask = (args: readonly string[]) => run(file, ["api", "--hostname", forge.host, ...args], place);
  const { find, open } = requests[program](forge.repository, text);
  try {
    const found = addressIn((await ask(find)).at(0));
    return { url: found ?? addressIn((await ask(open)).at(0)) ?? fail("its answer has no address") };
  } catch (error) {
    return { problem: `${program} could not open it: ${(error as Error).message}` };
  }
}

/** What both programs send to the API of their forge. */
const requests = {
  gh: (repository: string, { branch, into, title, body }: PullText) => {
    const [owner = ""] = repository.split("/");
    const path = `repos/${repository}/pulls`;
    return {
      find: ["--method", "GET", path, ...fields({ head: `${owner}:${branch}`, state: "open" })],
      open: ["--method", "POST", path, ...fields({ head: branch, base: into, title, body })],
    };
  },
  glab: (repository: string, { branch, into, title, body }: PullText) => {
    const path = `projects/${encodeURIComponent(repository)}/merge_requests`;
    const names = { source_branch: branch, target_branch: into };
    return {
      find: ["--method", "GET", path, ...fields({ source_branch: branch, state: "opened" })],
      open: ["--method", "POST", path, ...fields({ ...names, title, description: body })],
    };
  },
} as const;

/** As they are: the programs would read a file for `--field body=@name`. */
const fields = (values: Record<string, string>): string[] =>
  Object.entries(values).flatMap(([name, value]) => ["--raw-field", `${name}=${value}`]);

const fail = (message: string): never => {
  throw new Error(message);
};

/** The address of a pull request on the web. */
function addressIn(found: unknown): string | undefined {
  if (typeof found !== "object" || found === null) return undefined;
  const { html_url, web_url } = found as Record<string, unknown>;
  const url = html_url ?? web_url;
  return typeof url === "string" && /^https?:\/\/[^\s\\]+$/.test(url) && url.length < 2000 ? url : undefined;
}

const MAX_OUTPUT = 4 * 1024 * 1024;

/** What it answers, as a list. */
function run(
  file: string,
  args: readonly string[],
  { environment, signal }: ProgramPlace,
): Promise<unknown[]> {
  const quiet = { GH_PROMPT_DISABLED: "1", GH_NO_UPDATE_NOTIFIER: "1", NO_PROMPT: "1", NO_COLOR: "1" };
  const options = { cwd: "/", env: { ...environment, ...quiet }, signal, maxBuffer: MAX_OUTPUT };
  return new Promise((resolve, reject) => {
    const child = execFile(file, args, options, (error, stdout, stderr) => {
      if (error) return reject(new Error(saidIn(stderr) || saidIn(stdout) || howIn(error)));
      try {
        const answer: unknown = JSON.parse(stdout);
        resolve(Array.isArray(answer) ? answer : [answer]);
      } catch {
        reject(new Error("its answer is not JSON"));
      }
    });
    child.stdin?.end();
  });
}

/** Not its message, which repeats the whole command. */
const howIn = ({ name, code }: Error & { code?: number | string | null }): string =>
  name === "AbortError" ? "it took too long" : `it ended with ${code ?? "a signal"}`;

const saidIn = (text: string): string => text.trim().split("\n").slice(0, 3).join("; ").slice(0, 500);
