// Pushing a session's branch: exactly its commits arrive, and nothing that the repository or the remote planted runs.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { branch, configure, evil, open, program, refusal, traps } from "./push-stage.ts";

test("V9 the commits of the branch are pushed, again without effect, and later ones on top", async () => {
  await using at = await open();
  const tip = () => at.stage.git("rev-parse", "drover/fox");
  await at.stage.git("tag", "-a", "-m", "tag", "v1", "drover/fox");
  const before = await at.stage.git("for-each-ref");
  const first = { branch: "drover/fox", remote: "origin", commit: await tip(), isOpened: false };
  expect(await at.publish()).toEqual({ ok: true, value: first });
  expect(await at.publish()).toEqual({ ok: true, value: first });
  expect(await at.refs()).toEqual([branch, "refs/heads/main"]);
  expect(await at.stage.gitIn(at.bare, "rev-parse", branch)).toBe(await tip());
  await at.commit({ "new.txt": "two\n" });
  expect(await at.publish()).toMatchObject({ ok: true, value: { commit: await tip() } });
  expect(await at.stage.gitIn(at.bare, "rev-parse", branch)).toBe(await tip());
  expect(await at.stage.gitIn(at.bare, "fsck")).toBe("");
  // Not even a remote-tracking branch.
  const after = await at.stage.git("for-each-ref");
  expect(after.replace(/^.*drover\/fox\n/m, "")).toBe(before.replace(/^.*drover\/fox\n/m, ""));
});

describe("V9 nothing but the branch is pushed, and nothing runs, in spite of", () => {
  test.for(traps)("$title", async ({ plant, elsewhere }) => {
    await using at = await open();
    await at.stage.git("init", "-q", "--bare", "--template=", evil(at));
    await plant(at);
    expect(await at.publish()).toMatchObject({ ok: true, value: { remote: "origin" } });
    expect(at.stage.hasSprung).toBe(false);
    expect(await at.refs()).toEqual([branch, "refs/heads/main"]);
    expect(await at.stage.gitIn(evil(at), "for-each-ref")).toBe("");
    // Plain git shows that the trap was set.
    await at.commit({ "new.txt": "two\n" });
    await at.stage.gitIn(at.tree, "push", "-q", "origin").catch(() => undefined);
    const isElsewhere = (await at.stage.gitIn(evil(at), "for-each-ref")) !== "";
    expect([at.stage.hasSprung || (await at.refs()).length > 2, isElsewhere]).toEqual([
      !elsewhere,
      !!elsewhere,
    ]);
  });
});

describe("V9 a planted address or program is not used:", () => {
  test("a transport that is a program", async () => {
    await using at = await open();
    await at.stage.set({
      "remote.origin.url": `ext::${await at.stage.trap("exit 1")}`,
      "protocol.ext.allow": "always",
    });
    expect(await refusal(at)).toMatchObject({ code: "PUSH_REFUSED", reason: "bad_url", remote: "origin" });
    expect(at.stage.hasSprung).toBe(false);
    await at.stage.gitIn(at.tree, "push", "-q", "origin").catch(() => undefined);
    expect(at.stage.hasSprung).toBe(true);
  });

  test("the repository's SSH command; the user's own is, in batch mode", async () => {
    await using at = await open();
    await at.stage.set({
      "remote.origin.url": "git@example.test:acme/widget.git",
      "core.sshCommand": await at.stage.trap("exit 1"),
    });
    const ssh = await program(
      join(at.stage.home, "ssh"),
      `echo "$@" > "$HOME/asked"; exec git-receive-pack "${at.bare}"`,
    );
    await configure(at, `[core]\n\tsshCommand = ${ssh} -i key\n`);
    expect(await at.publish()).toMatchObject({ ok: true, value: { isOpened: false } });
    expect(at.stage.hasSprung).toBe(false);
    expect(await at.read(join(at.stage.home, "asked"), "/")).toMatch(
      /^-i key -o BatchMode=yes .*git@example.test git-receive-pack 'acme\/widget.git'\n$/,
    );
    expect(await at.refs()).toEqual([branch, "refs/heads/main"]);
    await at.stage.gitIn(at.tree, "push", "-q", "origin", "drover/fox").catch(() => undefined);
    expect(at.stage.hasSprung).toBe(true);
  });

  test.for(["credential.helper", "core.askPass"])("the repository's %s", async (key) => {
    await using at = await open();
    const server = createServer((_, response) => {
      response.writeHead(401, { "www-authenticate": 'Basic realm="x"' }).end();
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    await at.stage.set({
      "remote.origin.url": `http://name:secret@127.0.0.1:${port}/acme/widget.git`,
      [key]: await at.stage.trap("exit 1"),
    });
    const asked = await program(join(at.stage.home, "helper"), 'echo "$@" >> "$HOME/asked"');
    await configure(at, `[credential]\n\thelper = ${asked}\n`);
    const refused = await refusal(at);
    expect(refused).toMatchObject({ code: "PUSH_REFUSED", reason: "denied" });
    expect(JSON.stringify(refused)).not.toContain("secret");
    expect(at.stage.hasSprung).toBe(false);
    // The credentials in the address were wrong, and git reported that to the user's own helper.
    expect(await at.read(join(at.stage.home, "asked"), "/")).toContain("erase\n");
    await at.stage.set({ "remote.origin.url": `http://127.0.0.1:${port}/acme/widget.git` });
    await at.stage.gitIn(at.tree, "push", "-q", "origin", "drover/fox").catch(() => undefined);
    expect(at.stage.hasSprung).toBe(true);
    await new Promise((resolve) => server.close(resolve));
  });

  test("an address that the user's own settings rewrite into a program", async () => {
    await using at = await open();
    await at.stage.set({ "remote.origin.url": "run:it" });
    await configure(at, `[url "ext::${await at.stage.trap("exit 1")} "]\n\tinsteadOf = run:\n`);
    expect(await refusal(at)).toMatchObject({ reason: "bad_url" });
    expect(at.stage.hasSprung).toBe(false);
  });
});

describe("nothing is pushed", () => {
  test("while work is uncommitted, also in new files", async () => {
    await using at = await open();
    await at.write({ "untracked.txt": "new\n" });
    expect(await refusal(at)).toMatchObject({
      ...{ code: "PUSH_REFUSED", reason: "uncommitted" },
      message: expect.stringContaining("drover commit fox -m"),
    });
    expect(await at.refs()).toEqual(["refs/heads/main"]);
  });

  test("if the target has all of it, or the worktree is on another branch", async () => {
    await using at = await open();
    await at.stage.git("merge", "-q", "drover/fox");
    expect(await refusal(at)).toMatchObject({ reason: "nothing" });
    await at.stage.gitIn(at.tree, "switch", "-q", "-c", "other");
    expect(await refusal(at)).toMatchObject({
      reason: "other_branch",
      message: expect.stringContaining("on other"),
    });
  });

  test("if the remote has other commits: there is no force", async () => {
    await using at = await open();
    await at.publish();
    const there = await at.stage.gitIn(at.bare, "rev-parse", branch);
    await at.stage.gitIn(at.tree, "commit", "-q", "--amend", "-m", "another");
    // A repository's settings could ask for force.
    await at.stage.set({ "remote.origin.push": "+refs/heads/*:refs/heads/*" });
    expect(await refusal(at)).toMatchObject({
      ...{ reason: "rejected", remote: "origin", detail: expect.stringContaining("non-fast-forward") },
    });
    expect(await at.stage.gitIn(at.bare, "rev-parse", branch)).toBe(there);
  });

  test("if the remote is not there, and the message says where it was looked for", async () => {
    await using at = await open();
    await at.stage.set({ "remote.origin.url": at.stage.beside("gone.git") });
    expect(await refusal(at)).toMatchObject({
      reason: "unreachable",
      detail: expect.stringContaining("gone.git"),
    });
  });
});

test("the remote is that of the target's upstream, else origin, else the only one, or the one that is named", async () => {
  await using at = await open();
  const other = at.stage.beside("other.git");
  await at.stage.git("init", "-q", "--bare", other);
  const remote = async (spec = {}) => {
    const answer = await at.publish(spec);
    return answer.ok ? answer.value.remote : answer.error.code;
  };
  // Relative to the top of the repository, not of the worktree.
  await at.stage.git("remote", "add", "fork", "../other.git");
  expect(await remote()).toBe("origin");
  expect(await remote({ remote: "fork" })).toBe("fork");
  expect(await at.stage.gitIn(other, "for-each-ref", "--format=%(refname)")).toBe(branch);
  expect(await remote({ remote: "none" })).toBe("NOT_FOUND");
  await at.stage.set({ "branch.main.remote": "fork" });
  expect(await remote()).toBe("fork");
  await at.stage.set({ "branch.main.remote": "." });
  expect(await remote()).toBe("origin");
  await at.stage.git("remote", "rename", "origin", "first");
  expect(await remote()).toBe("PUSH_REFUSED");
  await at.stage.git("remote", "remove", "first");
  expect(await remote()).toBe("fork");
  await at.stage.git("remote", "remove", "fork");
  expect(await refusal(at)).toMatchObject({
    reason: "no_remote",
    message: expect.stringContaining("git remote add"),
  });
});

test("the user's own rewriting of addresses counts", async () => {
  await using at = await open();
  await at.stage.set({ "remote.origin.url": "gh:widget.git" });
  await configure(at, `[url "${at.stage.beside("")}/"]\n\tinsteadOf = gh:\n`);
  await at.stage.git("clone", "-q", "--bare", at.bare, at.stage.beside("widget.git"));
  expect(await at.publish()).toMatchObject({ ok: true });
  expect(await at.stage.gitIn(at.stage.beside("widget.git"), "rev-parse", branch)).toBe(
    await at.stage.git("rev-parse", "drover/fox"),
  );
});
