import { execFile } from "node:child_process";
import { mkdir, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { type Checkpoint, takeCheckpoint } from "../../packages/server/src/git/checkpoint.ts";
import { tempDir } from "../../test/kit/temp.ts";
import { median } from "../kit/stats.ts";
import type { Outcome, RunOptions, Scenario } from "../scenario.ts";

const run = promisify(execFile);

interface Timed {
  readonly ms: number;
  readonly last: Checkpoint;
}

async function measure({ smoke, progress }: RunOptions): Promise<Outcome> {
  const [files, rounds] = smoke ? [50, 3] : [5_000, 25];
  await using home = await tempDir("checkpoints-");
  const top = join(home.path, "repository");
  const environment = {
    ...{ PATH: process.env["PATH"] ?? "", HOME: home.path },
    ...{ GIT_AUTHOR_NAME: "A", GIT_AUTHOR_EMAIL: "a@example.test" },
    ...{ GIT_COMMITTER_NAME: "A", GIT_COMMITTER_EMAIL: "a@example.test" },
  };
  const git = (...args: string[]) => run("git", args, { cwd: top, env: environment });
  progress(`writing ${files} files`);
  for (let file = 0; file < files; file++) {
    const folder = join(top, `folder-${file % 100}`);
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, `file-${file}.txt`), `${file}\n`.repeat(50));
    // Older than the index: git trusts its record of them.
    await utimes(join(folder, `file-${file}.txt`), 1_000, 1_000);
  }
  await git("init", "-q");
  await git("add", "-A");
  await git("commit", "-q", "-m", "all");
  const { signal } = new AbortController();
  const place = { directory: join(home.path, "checkpoints"), top, environment, signal, maxFile: 1 << 20 };
  const take = async (): Promise<Timed> => {
    const start = performance.now();
    const last = await takeCheckpoint(place);
    return { ms: performance.now() - start, last };
  };
  const cold = await take();
  const status: number[] = [];
  const warm: Timed[] = [];
  const changed: Timed[] = [];
  for (let round = 0; round < rounds; round++) {
    const start = performance.now();
    await git("status");
    status.push(performance.now() - start);
    warm.push(await take());
  }
  for (let round = 0; round < rounds; round++) {
    await writeFile(join(top, "changed.txt"), `${round}\n`);
    changed.push(await take());
  }
  const ms = (timed: readonly Timed[]) => median(timed.map((each) => each.ms));
  const floor = { what: "git status", value: median(status) };
  return {
    figures: [
      {
        what: `unchanged tree of ${files} files`,
        value: ms(warm),
        unit: "ms",
        floor,
        target: "≤ 2 × git status",
      },
      { what: "one file changed", value: ms(changed), unit: "ms", floor },
      { what: "the first of a session", value: cold.ms, unit: "ms", floor },
    ],
    checks: [
      {
        what: "an unchanged tree is the same checkpoint",
        ok: warm.every(({ last }) => last.commit === cold.last.commit),
      },
      {
        what: "each change is a new one",
        ok: new Set(changed.map(({ last }) => last.commit)).size === rounds,
      },
    ],
  };
}

export const b14: Scenario = { id: "B14", title: "Checkpoints", run: measure };
