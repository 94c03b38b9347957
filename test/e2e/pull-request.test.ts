// A session's branch is pushed with the person's own credentials, and a pull request is opened where that is possible.
import { chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { PullRequested } from "@drover/core";
import { expect, test } from "vitest";
import { until } from "../kit/until.ts";
import { sharedRig } from "./shared-rig.ts";
import { type Conversation, drover, openSession } from "./support.ts";
import { git, inWorktree, type WorktreeRig, worktreesOn } from "./worktree-rig.ts";

/** Programs in `bin` come first on the server's PATH. */
const shared = sharedRig((home) => ({
  env: { PATH: `${join(home, "bin")}:${process.env["PATH"]}` },
}));

async function program(rig: WorktreeRig, name: string, script: string): Promise<string> {
  const path = join(rig.home, "bin", name);
  await mkdir(join(rig.home, "bin"), { recursive: true });
  await writeFile(path, `#!/bin/sh\n${script}\n`);
  await chmod(path, 0o755);
  return path;
}

interface Pushable extends WorktreeRig {
  readonly bare: string;
  /** The branches, tags and other refs of the remote. */
  refs(): Promise<string>;
}

let made = 0;

/** A repository whose `origin` is at `url`: the path of a bare repository, or a host that a stand-in for SSH reaches. */
async function open(url?: string): Promise<Pushable> {
  const rig = await worktreesOn(shared);
  const bare = join(rig.home, `origin-${made++}.git`);
  await git(rig.home, rig.home, "init", "-q", "--bare", bare);
  await rig.git("push", "-q", bare, "main");
  await rig.git("remote", "add", "origin", url ?? bare);
  const ssh = await program(rig, "ssh", `echo "$@" >> "$HOME/ssh-asked"; exec git-receive-pack "${bare}"`);
  await writeFile(
    join(rig.home, ".gitconfig"),
    `[user]\n\tname = A Person\n\temail = person@example.com\n[core]\n\tsshCommand = ${ssh}\n`,
  );
  const refs = () => git(rig.home, bare, "for-each-ref", "--format=%(objectname) %(refname)");
  return Object.assign(rig, { bare, refs });
}

/** The demo agent changes a file, and a person commits it. */
async function work(session: Conversation, content: string): Promise<string> {
  await session.turn(`write new.txt ${content}`);
  return (await session.post<{ commit: string }>("commit", { message: `Make it ${content}` })).commit;
}

/** What `gh` was asked, one list of arguments for each time. */
const asked = async (rig: WorktreeRig) =>
  (await readFile(join(rig.home, "gh-asked"), "utf8").catch(() => "")).split("---\n").slice(0, -1);

test("V9 drover pr pushes exactly the session's commits to a bare repository, and asks for a commit first", async () => {
  await using rig = await open();
  await using session = await openSession(rig, "demo", { ...inWorktree, name: "fox" });
  const pr = (...args: string[]) => drover(rig.home, "pr", "fox", ...args);
  const main = `${await rig.git("rev-parse", "main")} refs/heads/main`;
  expect(await pr()).toMatchObject({ code: 6, stderr: expect.stringContaining("nothing to push") });
  await session.turn("write new.txt one");
  expect(await pr()).toMatchObject({
    code: 6,
    stdout: "",
    stderr: expect.stringContaining('`drover commit fox -m "…"`'),
  });
  expect(await rig.refs()).toBe(main);

  expect((await drover(rig.home, "commit", "fox", "-m", "Make it one")).code).toBe(0);
  await rig.git("tag", "-a", "-m", "tag", "v1", "drover/fox");
  await rig.git("config", "push.followTags", "true");
  await rig.git("config", "remote.origin.mirror", "true");
  await program(rig, "trap", 'touch "$HOME/sprung"');
  await writeFile(
    join(rig.work, ".git", "hooks", "pre-push"),
    `#!/bin/sh\n${join(rig.home, "bin", "trap")}\n`,
  );
  await chmod(join(rig.work, ".git", "hooks", "pre-push"), 0o755);
  const commit = await rig.git("rev-parse", "drover/fox");
  expect(await pr()).toEqual({
    ...{ code: 0, stdout: "" },
    stderr: `Pushed drover/fox to origin as ${commit.slice(0, 10)}.\n`,
  });
  expect(await rig.refs()).toBe(`${commit} refs/heads/drover/fox\n${main}`);
  expect(session.all("notice").at(-1)).toMatchObject({
    ...{ code: "PUSHED", message: "Pushed drover/fox to origin" },
    facts: { branch: "drover/fox", remote: "origin", commit, isOpened: false, by: "cli" },
  });
  const again = await pr("--json", "--remote", "origin");
  expect([again.code, JSON.parse(again.stdout)]).toMatchObject([
    0,
    { branch: "drover/fox", remote: "origin", commit, isOpened: false, review: { state: "open", ahead: 1 } },
  ]);
  expect(await readFile(join(rig.home, "sprung")).catch(() => undefined)).toBeUndefined();
  await rig.git("push", "-q", "origin").catch(() => undefined);
  expect(await readFile(join(rig.home, "sprung"), "utf8")).toBe("");
});

test("V9 a pull request is opened with gh, found again, and shown by the review", async () => {
  await using rig = await open("git@github.com:acme/widget.git");
  await program(
    rig,
    "gh",
    `pwd >> "$HOME/gh-asked"; printf '%s\\n' "$@" >> "$HOME/gh-asked"; echo "---" >> "$HOME/gh-asked"
case "$5" in
  GET) cat "$HOME/pulls" 2>/dev/null || echo "[]" ;;
  POST) echo '{"html_url":"https://github.com/acme/widget/pull/7"}' | tee "$HOME/pull"; (echo "["; cat "$HOME/pull"; echo "]") > "$HOME/pulls" ;;
esac`,
  );
  await using session = await openSession(rig, "demo", { ...inWorktree, name: "fox", title: "Add it" });
  const first = await work(session, "one");
  const opened = await session.post<PullRequested>("pull-request", { body: "$(touch x)\n@/etc/passwd" });
  const url = "https://github.com/acme/widget/pull/7";
  expect(opened).toMatchObject({
    ...{ branch: "drover/fox", remote: "origin", commit: first, isOpened: true, url },
    review: { pullRequest: url },
  });
  expect(await asked(rig)).toEqual([
    "/\napi\n--hostname\ngithub.com\n--method\nGET\nrepos/acme/widget/pulls\n--raw-field\nhead=acme:drover/fox\n--raw-field\nstate=open\n",
    "/\napi\n--hostname\ngithub.com\n--method\nPOST\nrepos/acme/widget/pulls\n--raw-field\nhead=drover/fox\n--raw-field\nbase=main\n--raw-field\ntitle=Add it\n--raw-field\nbody=$(touch x)\n@/etc/passwd\n",
  ]);
  expect(await readFile(join(rig.home, "ssh-asked"), "utf8")).toContain("-o BatchMode=yes ");
  expect((await session.get()).review?.pullRequest).toBe(url);
  expect(session.all("review").at(-1)).toMatchObject({ pullRequest: url });

  const second = await work(session, "two");
  await until(async () => (await rig.refs()).includes(first));
  const again = await drover(rig.home, "pr", "fox", "--title", "Another");
  expect(again).toMatchObject({ code: 0, stdout: `${url}\n` });
  expect(await rig.refs()).toContain(`${second} refs/heads/drover/fox\n`);
  expect((await asked(rig)).slice(2).map((each) => each.split("\n")[5])).toEqual(["GET"]);
  expect((await drover(rig.home, "review", "fox")).stdout).toMatch(
    /^pull request +https:\/\/github.com\/acme\/widget\/pull\/7$/m,
  );
});

test("V9 if gh can't open it, the branch is pushed all the same, and the page that does is named", async () => {
  await using rig = await open("https://github.example.com/acme/widget.git");
  await program(rig, "gh", "echo 'not logged in' >&2; exit 4");
  await writeFile(
    join(rig.home, ".gitconfig"),
    `[url "${rig.bare}"]\n\tinsteadOf = https://github.example.com/acme/widget.git\n[user]\n\tname = A\n\temail = a@b\n`,
  );
  await using session = await openSession(rig, "demo", { ...inWorktree, name: "fox" });
  await work(session, "one");
  const page = "https://github.example.com/acme/widget/compare/main...drover/fox?expand=1";
  const pushed = await drover(rig.home, "pr", "fox");
  expect(pushed).toMatchObject({ code: 0, stdout: `${page}\n` });
  expect(pushed.stderr).toContain("gh could not open it: not logged in\nOpen a pull request here:\n");
  expect((await session.get()).review?.pullRequest).toBeUndefined();
  expect(session.all("notice").at(-1)?.message).toBe(
    `Pushed drover/fox to origin; open a pull request: ${page}`,
  );
});

test("nothing is pushed while a turn is running, or for a session without a worktree", async () => {
  await using rig = await open();
  await using session = await openSession(rig, "demo", { ...inWorktree, name: "fox" });
  await work(session, "one");
  await session.send("hang");
  await until(async () => (await session.get()).turn !== undefined);
  expect(await drover(rig.home, "pr", "fox")).toMatchObject({
    code: 6,
    stderr: expect.stringContaining("then push"),
  });
  await session.post("interrupt");
  await using local = await openSession(rig, "demo");
  expect((await drover(rig.home, "pr", local.id)).code).toBe(2);
  expect(await rig.refs()).not.toContain("drover/fox");
});
