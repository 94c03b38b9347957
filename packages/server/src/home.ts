import { constants, existsSync } from "node:fs";
import { access, mkdir, stat } from "node:fs/promises";
import { dirname, join } from "node:path";

/** Where one Drover keeps everything: `~/.drover`, or DROVER_HOME. */
export interface Home {
  readonly directory: string;
  /** The configuration, unless another file is named. May be absent. */
  readonly config: string;
  /** The install's secret. */
  readonly token: string;
  /** The server of this home while it runs: `{pid, startTime, bootId, url, version, startedAt}`. */
  readonly serverFile: string;
  readonly serverLog: string;
  readonly database: string;
  /** Held by the serving process for as long as it lives (store/home-lock.ts). */
  readonly lock: string;
  /** Left by `drover down --stop-agents` for the server it ends. */
  readonly stopAgents: string;
  /** Added vendor programs, each package in its own directory. */
  readonly agents: string;
  /** The secrets of accounts, one directory each. */
  readonly accounts: string;
  /** Temporary files of the server; emptied when it starts. */
  readonly scratch: string;
  /** The project that the tour works in; made when it is first used. */
  readonly tour: string;
  readonly sessions: string;
  sessionDirectory(sessionId: string): string;
  /** The private git directory of a session's checkpoints. */
  checkpointDirectory(sessionId: string): string;
  /** One process run of a session: its FIFO and spool. */
  runDirectory(sessionId: string, run: number): string;
  /** The output of checks before a merge. */
  checkDirectory(sessionId: string): string;
  /** What earlier runs of a worker left. */
  outputDirectory(sessionId: string): string;
}

export function homeAt(directory: string): Home {
  const sessions = join(directory, "sessions");
  return {
    directory,
    config: join(directory, "drover.yaml"),
    token: join(directory, "token"),
    serverFile: join(directory, "server.json"),
    serverLog: join(directory, "server.log"),
    database: join(directory, "drover.db"),
    lock: join(directory, "lock.db"),
    stopAgents: join(directory, "stop-agents"),
    agents: join(directory, "agents"),
    accounts: join(directory, "accounts"),
    scratch: join(directory, "scratch"),
    tour: join(directory, "tour"),
    sessions,
    sessionDirectory: (sessionId) => join(sessions, sessionId),
    checkpointDirectory: (sessionId) => join(sessions, sessionId, "checkpoints"),
    runDirectory: (sessionId, run) => join(sessions, sessionId, "runs", String(run)),
    checkDirectory: (sessionId) => join(sessions, sessionId, "checks"),
    outputDirectory: (sessionId) => join(sessions, sessionId, "output"),
  };
}

/** Creates the home if there is none. Returns undefined, or a message that says why it cannot be used. */
export async function makeHome({ directory }: Home): Promise<string | undefined> {
  try {
    await makeDirectory(directory);
    await access(directory, constants.R_OK | constants.W_OK | constants.X_OK);
    return undefined;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return `The home ${directory} cannot be written to (${code}). Fix that, or choose another DROVER_HOME; run \`drover doctor\` for details.`;
  }
}

/**
 * Creates a directory for its owner alone, and those above it. Not Node's own `recursive` (24.x): if none can be
 * created although the parent exists, as below /proc, that loops forever.
 */
export async function makeDirectory(directory: string): Promise<void> {
  try {
    await mkdir(directory, { mode: 0o700 });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EEXIST" && (await stat(directory)).isDirectory()) return;
    const above = dirname(directory);
    if (code !== "ENOENT" || existsSync(above)) throw error;
    await makeDirectory(above);
    await makeDirectory(directory);
  }
}
