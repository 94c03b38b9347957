// `drover demo workers`: six workers, from their tasks to their merges.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Session } from "@drover/core";
import { expect, test } from "vitest";
import { processesOf } from "../kit/processes.ts";
import { until } from "../kit/until.ts";
import { gitIn } from "./repository.ts";
import { drover, openRig } from "./support.ts";

interface Played {
  readonly directory: string;
  readonly workers: readonly Session[];
  readonly merges: readonly { readonly name: string; readonly commit: string }[];
}

/** It takes seconds, and at most this long. */
const promisedMs = 180_000;

test(
  "drover demo workers merges six workers, although the server is killed meanwhile",
  async () => {
    await using rig = await openRig();
    const top = join(rig.home, "drover-demo-workers");
    const git = gitIn(top);
    const playing = drover(rig.home, "demo", "workers", "--json");
    await until(async () => {
      const { sessions } = await rig.client.get<{ sessions: Session[] }>("/api/sessions?kind=worker");
      return sessions.some(({ lastTurn }) => lastTurn);
    });
    await rig.server.kill9();
    await rig.start();
    const { code, stdout, stderr } = await playing;
    expect(code, stderr).toBe(0);

    const { directory, workers, merges: reported } = JSON.parse(stdout) as Played;
    expect(directory).toBe(top);
    expect(workers.map(({ review }) => review?.state)).toEqual(Array(6).fill("merged"));
    const merges = await git("log", "--first-parent", "--merges", "--format=%H", "main");
    expect(reported.map(({ commit }) => commit).reverse()).toEqual(merges.split("\n"));
    expect((await git("log", "--first-parent", "--format=%an %s", "main")).split("\n")).toEqual([
      ...Array(6).fill(expect.stringMatching(/^Drover Demo Merge drover\/\S+: /)),
      "Drover Demo Start",
    ]);
    expect(await git("fsck", "--strict", "--no-dangling")).toBe("");
    expect(await git("status", "--porcelain")).toBe("");
    expect(await readFile(join(top, "CHANGES.md"), "utf8")).toMatch(/\n- Accented .*\n- Slugs .*\n$/);

    expect(stderr).toMatch(/^(\S+) asks: How long may a slug be\?.*\n {2}You answer: 80 characters\./m);
    expect(stderr).toMatch(/^ {2}You look at what (\S+) did, and ask for more: Please show/m);
    expect(stderr).toMatch(/^The checks failed on the result of merging (\S+): node --test\./m);
    expect(stderr).toMatch(/^CHANGES\.md of (\S+) conflicts with /m);
    expect(stderr).toMatch(/^Merged \S+ into main: .* \(6 of 6\)\.$/m);
    await until(() => processesOf(rig.home).every(({ pid }) => pid === rig.server.pid));
  },
  promisedMs,
);
