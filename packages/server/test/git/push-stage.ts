// What the suite about pushing shares: a session with a remote, and the traps that are set for it.
import { chmod, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { MergeStage } from "./merge-stage.ts";

export const branch = "refs/heads/drover/fox";

/** A session with one commit, and a bare repository as `origin`, which already has `main`. */
export async function open(): Promise<MergeStage & { readonly bare: string; refs(): Promise<string[]> }> {
  const at = await MergeStage.open();
  const bare = at.stage.beside("origin.git");
  await at.stage.git("init", "-q", "--bare", "--template=", bare);
  await at.stage.git("remote", "add", "origin", bare);
  await at.stage.git("push", "-q", "origin", "main");
  // Plain `git push` then pushes the branch, too.
  await at.stage.set({ "push.default": "current" });
  await at.commit({ "new.txt": "one\n" });
  const refs = async () => (await at.stage.gitIn(bare, "for-each-ref", "--format=%(refname)")).split("\n");
  return Object.assign(at, { bare, refs });
}

type Opened = Awaited<ReturnType<typeof open>>;

/** Makes the user's own git configuration, which the server has too. */
export const configure = (at: MergeStage, text: string) => writeFile(join(at.stage.home, ".gitconfig"), text);

export async function program(path: string, script: string): Promise<string> {
  await writeFile(path, `#!/bin/sh\n${script}\n`);
  await chmod(path, 0o755);
  return path;
}

export async function refusal(at: MergeStage, spec = {}) {
  const { code, facts, message } = await at.publish(spec).then((answer) => {
    if (answer.ok) throw new Error("It was pushed");
    return answer.error;
  });
  return { code, ...facts, message };
}

interface Trap {
  readonly title: string;
  plant(at: Opened): Promise<void>;
  /** Where plain git would have pushed to, if not to `origin`. */
  readonly elsewhere?: true;
}

export const evil = (at: MergeStage) => at.stage.beside("evil.git");

export const traps: readonly Trap[] = [
  {
    title: "a pre-push hook",
    plant: async ({ stage }) => {
      await mkdir(stage.path(".git/hooks"), { recursive: true });
      await program(stage.path(".git/hooks/pre-push"), `touch "${stage.canary}"`);
    },
  },
  {
    title: "hooks in another directory",
    plant: async ({ stage }) => {
      await program(stage.path("pre-push"), `touch "${stage.canary}"`);
      await stage.set({ "core.hooksPath": stage.top });
    },
  },
  {
    title: "tags that follow",
    plant: async ({ stage }) => {
      await stage.git("tag", "-a", "-m", "tag", "v1", "drover/fox");
      await stage.set({ "push.followTags": "true" });
    },
  },
  { title: "a mirror", plant: ({ stage }) => stage.set({ "remote.origin.mirror": "true" }) },
  {
    title: "refspecs of the remote",
    plant: ({ stage }) => stage.set({ "remote.origin.push": "refs/heads/*:refs/stolen/*" }),
  },
  {
    title: "a program in place of receive-pack",
    plant: async ({ stage }) => stage.set({ "remote.origin.receivepack": await stage.trap("exit 1") }),
  },
  {
    title: "an address that is rewritten",
    elsewhere: true,
    plant: (at) => at.stage.set({ [`url.${evil(at)}.insteadOf`]: at.bare }),
  },
  {
    title: "an address that is rewritten for pushing",
    elsewhere: true,
    plant: (at) => at.stage.set({ [`url.${evil(at)}.pushInsteadOf`]: at.bare }),
  },
  {
    title: "hooks of a repository on this machine",
    plant: async ({ stage, bare }) => {
      await mkdir(join(bare, "hooks"));
      for (const name of ["pre-receive", "update", "post-receive", "post-update", "reference-transaction"])
        await program(join(bare, "hooks", name), `touch "${stage.canary}"`);
    },
  },
  {
    title: "a program that lists the refs of alternates",
    plant: async ({ stage, bare }) => {
      await writeFile(join(bare, "objects/info/alternates"), `${stage.path(".git/objects")}\n`);
      await stage.gitIn(bare, "config", "core.alternateRefsCommand", await stage.trap("true"));
    },
  },
];
