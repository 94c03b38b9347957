import { chmod, mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Rig, RigOptions } from "./support.ts";

/** A rig whose git first does what `bin/meddle` says, with the command it is about to run as its arguments. */
export const meddledGit =
  (config: RigOptions["config"] = {}) =>
  async (home: string) => {
    await mkdir(join(home, "bin"));
    const git = join(home, "bin", "git");
    const path = process.env["PATH"] ?? "";
    await writeFile(
      git,
      `#!/bin/sh\n[ -e "${git}-meddle" ] && . "${git}-meddle"\nPATH="${path}" exec git "$@"\n`,
    );
    await chmod(git, 0o755);
    return { config, env: { PATH: `${join(home, "bin")}:${path}` } };
  };

export const meddle = ({ home }: Rig, script: string) => writeFile(join(home, "bin", "git-meddle"), script);
export const leaveAlone = ({ home }: Rig) => rm(join(home, "bin", "git-meddle"), { force: true });

/** Kills the server once, when it is about to run a command that contains this word. */
export const killsAt = (word: string) => `case "$*" in *${word}*) rm -f "$0-meddle"; kill -9 $PPID;; esac\n`;
