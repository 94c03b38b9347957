// A server that is killed at one git command, or at one of its own commits, after the other.
import { existsSync } from "node:fs";
import { chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { isSoak, rounds } from "../kit/soak.ts";
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
  env: { NODE_OPTIONS: `--import=${commits}` },
});

interface Steps {
  readonly prepare?: () => Promise<void>;
  readonly attempt: () => Promise<unknown>;
  readonly check: () => Promise<void>;
  /** Without a soak, only every so many commands. Before one, git has done the same as after the previous one. */
  readonly every?: number;
}

/** Runs `attempt` with a fault at each command or commit in turn until it succeeds; a new server checks the result each time. */
export async function atEveryCommand(
  rig: Rig,
  { prepare, attempt, check, every = 2 }: Steps,
): Promise<number> {
  const step = rounds(every, 1);
  for (let n = 1; ; n += step) {
    const sides = isSoak ? ["before", "after"] : [((n - 1) / step) % 2 === 0 ? "after" : "before"];
    for (const side of sides) {
      await writeFile(join(rig.home, "fault"), "");
      await prepare?.();
      await writeFile(join(rig.home, "count"), "0");
      await writeFile(join(rig.home, "fault"), `${side} ${n}`);
      const exited = rig.server.exited.then(() => Promise.reject(new Error("The server was killed")));
      const isThrough = await Promise.race([attempt(), exited]).then(
        () => true,
        () => false,
      );
      await writeFile(join(rig.home, "fault"), "");
      if (isThrough && Number(await readFile(join(rig.home, "count"), "utf8")) < n) return n - 1;
      if (!isThrough) {
        await rig.server.exited;
        await rig.start();
      }
      await check();
    }
  }
}
