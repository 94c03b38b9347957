// What the model is told of the repository, by agents that are told anew with every turn.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Scene } from "./stage.ts";
import { queue } from "./turns.ts";

function gitIn({ cwd, rig }: Scene): (...args: string[]) => void {
  const env = { ...process.env, HOME: rig.home };
  return (...args) => void execFileSync("git", args, { cwd, env, stdio: ["ignore", "ignore", "inherit"] });
}

/** The system text of the request that the model answered so. */
function systemOf(scene: Scene, say: string): string {
  const system = scene.requestFor(say).body["system"] as { text: string }[];
  return system.map(({ text }) => text).join("\n");
}

function gitStatusOf(scene: Scene, say: string): string[] {
  const [, lines = ""] = /<git_status>\n(.*?)\n<\/git_status>/s.exec(systemOf(scene, say)) ?? [];
  return lines.split("\n");
}

const repository = (branch: string, ...rest: string[]) => [
  "Is git repo: true",
  `Current branch: ${branch}`,
  "Main branch (use for PRs): master",
  ...rest,
];

/** Three messages that wait for each other, each of whose turns adds a file. */
export async function queueInRepository(scene: Scene): Promise<void> {
  const git = gitIn(scene);
  git("init", "--quiet", "-b", "master");
  git("commit", "--quiet", "--allow-empty", "-m", "Begin");
  await queue(scene);
  const trees = ["One.", "Two.", "Three."].map((say) => gitStatusOf(scene, say).at(-1));
  assert.deepEqual(trees, [
    "Working tree: clean",
    "Working tree: dirty (1 untracked)",
    "Working tree: dirty (2 untracked)",
  ]);
}

export async function describeRepository(scene: Scene): Promise<void> {
  const git = gitIn(scene);
  const write = (name: string, text: string) => writeFile(join(scene.cwd, name), text);
  const remote = "https://someone:canary-secret@example.invalid/here.git";
  const states: { change(): Promise<void> | void; told: string[] }[] = [
    { change: () => {}, told: ["Is git repo: false"] },
    {
      change: () => git("init", "--quiet", "-b", "master"),
      told: repository("master", "Working tree: clean"),
    },
    {
      change: async () => {
        await write("song", "la");
        git("add", "song");
        git("commit", "--quiet", "-m", "Begin");
        git("remote", "add", "origin", remote);
      },
      told: repository("master", "Working tree: clean"),
    },
    {
      change: async () => {
        await write("song", "la la");
        await write("staged", "");
        git("add", "staged");
        await write("new", "");
      },
      told: repository("master", "Working tree: dirty (1 modified, 1 staged, 1 untracked)"),
    },
    {
      change: () => git("checkout", "--quiet", "--detach"),
      told: repository(
        "HEAD",
        "Detached HEAD: true",
        "Working tree: dirty (1 modified, 1 staged, 1 untracked)",
      ),
    },
    {
      change: () => git("checkout", "--quiet", "-b", "v1.2/(draft)"),
      told: repository("v1.2/(draft)", "Working tree: dirty (1 modified, 1 staged, 1 untracked)"),
    },
  ];
  for (const [index, { change, told }] of states.entries()) {
    await change();
    const say = `State ${index}.`;
    assert.equal((await scene.turn({ say })).reason, "end_turn");
    assert.deepEqual(gitStatusOf(scene, say), told);
    const system = systemOf(scene, say);
    assert.ok(system.includes(`Working directory: ${scene.cwd}\n`));
    assert.ok(system.includes(`\nPort: ${scene.rig.server.port}\n`));
    assert.match(system, /\nDate: \d{4}-\d\d-\d\d/);
    assert.doesNotMatch(JSON.stringify(scene.requestFor(say).body), /canary-secret/);
  }
}
