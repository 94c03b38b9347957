// What agents that get a new context with every turn tell their model about their surroundings, read from the model's
// requests. Every case is a separate turn; all but a scene's first are resumed.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { chmod, mkdir, rename, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { Conversation } from "../e2e/support.ts";
import { patience, type Scene } from "./stage.ts";

type Git = (...args: string[]) => void;

const gitIn = (rig: Scene["rig"], cwd: string): Git => {
  const env = { ...process.env, HOME: rig.home };
  return (...args) => void execFileSync("git", args, { cwd, env, stdio: ["ignore", "ignore", "inherit"] });
};

/** The scene's directory as a repository with one commit. */
function repository({ rig, cwd }: Scene, branch = "master"): Git {
  const git = gitIn(rig, cwd);
  git("init", "--quiet", "-b", branch);
  git("commit", "--quiet", "--allow-empty", "-m", "Begin");
  return git;
}

/** The system text of the request that the model answered with `say`. */
function systemOf(scene: Scene, say: string): string {
  const system = scene.requestFor(say).body["system"] as { text: string }[];
  return system.map(({ text }) => text).join("\n");
}

const blockOf = (text: string, name: string): string[] =>
  (new RegExp(`<${name}>\\n(.*?)\\n</${name}>`, "s").exec(text)?.[1] ?? "").split("\n");

let turns = 0;

/** Runs a turn and returns the system text of its request. */
async function system(scene: Scene): Promise<string> {
  const say = `Look ${++turns}.`;
  assert.equal((await scene.turn({ say })).reason, "end_turn");
  return systemOf(scene, say);
}

const gitStatus = async (scene: Scene): Promise<string[]> => blockOf(await system(scene), "git_status");

const notARepository = ["Is git repo: false"];

const masterStatus = (branch: string, ...lines: string[]) =>
  repositoryStatus({ branch, main: "master" }, ...lines);

const repositoryStatus = ({ branch, main }: { branch: string; main: string }, ...lines: string[]) => [
  "Is git repo: true",
  `Current branch: ${branch}`,
  `Main branch (use for PRs): ${main}`,
  ...lines,
];

const clean = "Working tree: clean";

export async function cleanTree(scene: Scene): Promise<void> {
  repository(scene);
  assert.deepEqual(await gitStatus(scene), masterStatus("master", clean));
}

export async function counts(scene: Scene): Promise<void> {
  const git = repository(scene);
  const write = (name: string, text: string) => writeFile(join(scene.cwd, name), text);
  await write("song", "la");
  git("add", "song");
  git("commit", "--quiet", "-m", "Sing");
  git("branch", "other");
  await write("song", "la la");
  assert.deepEqual(await gitStatus(scene), masterStatus("master", "Working tree: dirty (1 modified)"));
  await write("staged", "");
  git("add", "staged");
  await write("new", "");
  await write("newer", "");
  const all = "Working tree: dirty (1 modified, 1 staged, 2 untracked)";
  assert.deepEqual(await gitStatus(scene), masterStatus("master", all));
  git("add", ".");
  git("commit", "--quiet", "-m", "Sing on");
  git("checkout", "--quiet", "other");
  await write("song", "do re mi");
  git("commit", "--quiet", "-am", "Sing otherwise");
  assert.throws(() => git("merge", "--quiet", "master"));
  const [, branch, , tree] = await gitStatus(scene);
  assert.equal(branch, "Current branch: other");
  assert.match(tree ?? "", /^Working tree: dirty \((?:\d staged, )?1 conflicted\)$/);
}

export async function noCommits(scene: Scene): Promise<void> {
  gitIn(scene.rig, scene.cwd)("init", "--quiet", "-b", "trunk");
  assert.deepEqual(await gitStatus(scene), repositoryStatus({ branch: "trunk", main: "trunk" }, clean));
}

export async function detached(scene: Scene): Promise<void> {
  repository(scene)("checkout", "--quiet", "--detach");
  assert.deepEqual(await gitStatus(scene), masterStatus("HEAD", "Detached HEAD: true", clean));
}

export async function upstream(scene: Scene): Promise<void> {
  const git = repository(scene);
  const branch = "v1.2/(draft)]";
  git("checkout", "--quiet", "-b", branch);
  git("clone", "--quiet", "--bare", scene.cwd, `${scene.cwd}.git`);
  git("remote", "add", "origin", `${scene.cwd}.git`);
  git("push", "--quiet", "-u", "origin", branch);
  git("commit", "--quiet", "--allow-empty", "-m", "One more");
  assert.deepEqual(await gitStatus(scene), masterStatus(branch, "Ahead of origin: 1 commits", clean));
  gitIn(scene.rig, `${scene.cwd}.git`)("branch", "-D", branch);
  git("fetch", "--quiet", "--prune");
  assert.deepEqual(await gitStatus(scene), masterStatus(branch, clean));
}

/** A git that hangs comes first on the PATH of the server and its agents. */
export async function hangingGit(scene: Scene): Promise<void> {
  const { rig } = scene;
  repository(scene);
  const tools = join(rig.home, "hanging");
  await mkdir(tools);
  await writeFile(join(tools, "git"), "#!/bin/sh\nexec tail -f /dev/null\n");
  await chmod(join(tools, "git"), 0o755);
  await rig.server.term();
  await rig.start({ PATH: [tools, process.env["PATH"]].join(delimiter), DROVER__GIT__TIMEOUT: "1s" });
  try {
    const start = performance.now();
    assert.deepEqual(await gitStatus(scene), notARepository);
    // Drover waits one second for git. The agent runs it too, and needs the rest on a busy machine.
    assert.ok(performance.now() - start < 30_000);
  } finally {
    await rig.server.term();
    await rig.start();
  }
  assert.deepEqual(await gitStatus(scene), masterStatus("master", clean));
}

export async function nowhere(scene: Scene): Promise<void> {
  const { cwd } = scene;
  assert.deepEqual(await gitStatus(scene), notARepository);
  await rename(cwd, `${cwd}-away`);
  const { error } = await scene.turn({ say: "Never said." });
  assert.equal(error?.code, "WORKSPACE_MISSING");
  assert.throws(() => scene.requestFor("Never said."));
  await rename(`${cwd}-away`, cwd);
  assert.deepEqual(await gitStatus(scene), notARepository);
}

export async function mainBranch(scene: Scene): Promise<void> {
  const git = repository(scene, "trunk");
  assert.deepEqual(await gitStatus(scene), repositoryStatus({ branch: "trunk", main: "trunk" }, clean));
  git("checkout", "--quiet", "-b", "master");
  assert.deepEqual(await gitStatus(scene), masterStatus("master", clean));
  git("config", "init.defaultBranch", "trunk");
  assert.deepEqual(await gitStatus(scene), repositoryStatus({ branch: "master", main: "trunk" }, clean));
  git("update-ref", "refs/remotes/origin/dev.2", "HEAD");
  git("symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/dev.2");
  assert.deepEqual(await gitStatus(scene), repositoryStatus({ branch: "master", main: "dev.2" }, clean));
}

/** `stage.ts` puts another canary in the server's environment. */
export async function noSecrets(scene: Scene): Promise<void> {
  const git = repository(scene);
  git("remote", "add", "origin", "https://someone:canary-address@example.invalid/here.git");
  await writeFile(join(scene.cwd, "canary-stash"), "");
  git("stash", "--quiet", "--include-untracked", "-m", "canary-stash");
  const text = await system(scene);
  const say = `Look ${turns}.`;
  assert.doesNotMatch(JSON.stringify(scene.requestFor(say).body), /canary-/);
  const keys = blockOf(text, "env").map((line) => line.slice(0, line.indexOf(":")));
  const expected = ["Working directory", "Product", "Version", "Port", "Platform", "OS Version", "Node.js"];
  assert.deepEqual(keys, [...expected, "Hostname", "Date"]);
  assert.deepEqual(blockOf(text, "git_status"), masterStatus("master", clean));
}

export async function environment(scene: Scene): Promise<void> {
  const { rig, cwd } = scene;
  const { version } = await rig.client.get<{ version: string }>("/api/health");
  const before = Date.now();
  const lines = blockOf(await system(scene), "env");
  for (const line of [`Working directory: ${cwd}`, `Version: ${version}`, `Port: ${rig.server.port}`]) {
    assert.ok(lines.includes(line), `${line} is one of ${lines.join(" · ")}`);
  }
  const date = lines.at(-1)?.replace("Date: ", "") ?? "";
  assert.match(date, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  assert.ok(Date.parse(date) >= before && Date.parse(date) <= Date.now());
  await rig.server.term();
  await rig.start();
  assert.ok(
    blockOf(await system(scene), "env").includes(`Port: ${rig.server.port}`),
    "the server's current time",
  );
}

export async function systemText(scene: Scene): Promise<void> {
  const { rig, cwd, subject } = scene;
  const ownText = "Always speak of birds.";
  const fields = { agent: subject.name, cwd, system: ownText };
  const { id } = await rig.client.post<{ id: string }>("/api/sessions", fields);
  await using session = new Conversation(rig, id);
  for (const say of ["First bird.", "Second bird."]) {
    assert.equal((await session.turn(scene.prompt({ say }), patience)).reason, "end_turn");
    const text = systemOf(scene, say);
    assert.ok(text.includes(`</git_status>\n\n${ownText}`));
    assert.equal(text.split(ownText).length, 2, "once");
  }
}

export async function contextAlone(scene: Scene): Promise<void> {
  assert.match(await system(scene), /<\/git_status>\s*$/);
}

/** Three messages arrive while the first turn edits files; each of their turns changes the repository again. */
export async function queueInRepository(scene: Scene): Promise<void> {
  const git = repository(scene);
  await writeFile(join(scene.cwd, "song"), "la");
  git("add", "song");
  git("commit", "--quiet", "-m", "Sing");
  const commands = {
    "One.": "echo la >> song; touch new",
    "Two.": "git add new",
    "Three.": "git commit --quiet -am 'Sing on'",
    "Four.": "git checkout --quiet -b next",
  };
  const [first, ...others] = Object.entries(commands).map(([say, run]) => scene.prompt({ run }, { say }));
  const sent = [await scene.session.send(first ?? "")];
  await scene.interaction();
  for (const prompt of others) sent.push(await scene.session.send(prompt));
  assert.deepEqual(
    sent.map(({ applied }) => applied),
    ["started", "queued", "queued", "queued"],
  );
  for (const { messageId } of sent) {
    await scene.approve(await scene.interaction());
    assert.equal((await scene.done(messageId)).reason, "end_turn");
  }
  const states = Object.keys(commands).map((say) => blockOf(systemOf(scene, say), "git_status").slice(1));
  const main = "Main branch (use for PRs): master";
  assert.deepEqual(states, [
    ["Current branch: master", main, clean],
    ["Current branch: master", main, "Working tree: dirty (1 modified, 1 untracked)"],
    ["Current branch: master", main, "Working tree: dirty (1 modified, 1 staged)"],
    ["Current branch: master", main, clean],
  ]);
  assert.deepEqual(blockOf(await system(scene), "git_status")[1], "Current branch: next");
}
