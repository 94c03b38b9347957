// A server that is killed at one git command, or at one of its own commits, after the other.
import { existsSync } from "node:fs";
import { chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { isSoak } from "../kit/soak.ts";
import type { Rig, RigOptions } from "./support.ts";

/** A git that kills its caller before or after the command whose number is in `fault`. */
const script = (real: string) => `#!/bin/sh
n=0 fault=
[ -e "$HOME/count" ] && read -r n < "$HOME/count"
n=$((n + 1))
echo $n > "$HOME/count"
[ -e "$HOME/fault" ] && read -r fault < "$HOME/fault"
[ "$fault" = "before $n" ] && kill -9 $PPID && exit 1
${real} "$@"
code=$?
[ "$fault" = "after $n" ] && kill -9 $PPID
exit $code
`;

/** A rig whose server uses that git. */
export const deadlyGit =
  (config: RigOptions["config"] = {}) =>
  async (home: string) => {
    const path = process.env["PATH"] ?? "";
    const real = path
      .split(":")
      .map((each) => join(each, "git"))
      .find(existsSync);
    await mkdir(join(home, "bin"));
    await writeFile(join(home, "bin", "git"), script(real ?? "git"));
    await chmod(join(home, "bin", "git"), 0o755);
    return { config, env: { PATH: `${join(home, "bin")}:${path}` } };
  };

const commits = join(import.meta.dirname, "deadly-commits.mjs");

/** A rig whose server can be killed at each of its own commits in the same way. */
export const deadlyCommits = (config: RigOptions["config"] = {}) => ({
  config,
  env: { NODE_OPTIONS: `--import=${pathToFileURL(commits)}` },
});

interface Steps {
  readonly prepare?: () => Promise<void>;
  readonly attempt: () => Promise<unknown>;
  readonly check: () => Promise<void>;
}

interface Fault {
  readonly side: "before" | "after";
  /** The number of the command, or of the commit, from 1. */
  readonly at: number;
}

/** Without a soak, the server is killed this often, at commands spread over the whole attempt. */
const USUAL_KILLS = 3;

/** Before a command, git has done the same as after the previous one: without a soak, one of the two will do. */
const spread = (commands: number): Fault[] =>
  Array.from({ length: USUAL_KILLS }, (_, kill) => ({
    side: kill % 2 === 0 ? "after" : "before",
    at: Math.ceil(((kill + 0.5) * commands) / USUAL_KILLS),
  }));

/**
 * Runs `attempt` once to the end, and then with the server killed at one of its commands, or commits, after the other; a
 * new server checks the result each time. Returns their number.
 */
export async function atEveryCommand(rig: Rig, steps: Steps): Promise<number> {
  const commands = (await attempted(rig, steps)) ?? 0;
  if (!isSoak) {
    let kills = 0;
    for (const fault of spread(commands)) {
      if ((await attempted(rig, steps, fault)) === undefined) kills++;
    }
    // The last one may come too late for an attempt that takes fewer commands than the first.
    if (kills < USUAL_KILLS - 1) throw new Error(`The server was killed only ${kills} times`);
    return commands;
  }
  for (let at = 1; ; at++) {
    const before = await attempted(rig, steps, { side: "before", at });
    const after = await attempted(rig, steps, { side: "after", at });
    // An attempt after a kill may take more commands than the first one.
    if ([before, after].every((run) => run !== undefined && run < at)) return commands;
  }
}

/** The number of commands of an attempt; undefined if it was cut off. */
async function attempted(
  rig: Rig,
  { prepare, attempt, check }: Steps,
  fault?: Fault,
): Promise<number | undefined> {
  await prepare?.();
  const isThrough = await survives(rig, attempt, fault);
  const commands = isThrough ? Number(await readFile(join(rig.home, "count"), "utf8")) : undefined;
  await check();
  return commands;
}

/** Whether an attempt came to its end. If its server was killed, there is a new one. */
export async function survives(rig: Rig, attempt: Steps["attempt"], fault?: Fault): Promise<boolean> {
  await writeFile(join(rig.home, "count"), "0");
  if (fault) await writeFile(join(rig.home, "fault"), `${fault.side} ${fault.at}`);
  const exited = rig.server.exited.then(() => Promise.reject(new Error("The server was killed")));
  const isThrough = await Promise.race([attempt(), exited]).then(
    () => true,
    (error: unknown) => {
      if (!fault) throw error;
      return false;
    },
  );
  await writeFile(join(rig.home, "fault"), "");
  if (!isThrough) {
    await rig.server.exited;
    await rig.start();
  }
  return isThrough;
}
