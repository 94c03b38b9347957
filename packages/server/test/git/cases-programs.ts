import { mkdir, rm, writeFile } from "node:fs/promises";
import type { Case, Stage } from "./stage.ts";

const attributes = async (stage: Stage, text: string) => {
  await mkdir(stage.path(".git/info"), { recursive: true });
  await stage.write({ ".git/info/attributes": text });
};

const many = Array.from({ length: 50 }, (_, i) => `line ${i}`).join("\n");

/** A clone that lacks a file's old content, and has a remote to fetch it from. */
async function partialClone(stage: Stage, remote: Record<string, string>): Promise<void> {
  await stage.commit({ "old.txt": many });
  const object = await stage.git("rev-parse", "HEAD:old.txt");
  await stage.git("rm", "-q", "--cached", "old.txt");
  await rm(stage.path("old.txt"));
  await rm(stage.path(".git/objects", object.slice(0, 2), object.slice(2)));
  await stage.set({
    "core.repositoryFormatVersion": "1",
    "extensions.partialClone": "origin",
    "remote.origin.promisor": "true",
    ...remote,
  });
}

/** A dirty submodule with its own settings. */
async function submodule(stage: Stage): Promise<void> {
  const library = stage.beside("library");
  await mkdir(library);
  await stage.gitIn(library, "init", "-q", "--template=");
  await writeFile(`${library}/file.txt`, "file\n");
  await stage.gitIn(library, "add", "-A");
  await stage.gitIn(library, "commit", "-q", "-m", "a library");
  await stage.git("submodule", "-q", "add", library, "library");
  await stage.git("commit", "-q", "-m", "a submodule");
  await mkdir(stage.path(".git/modules/library/info"), { recursive: true });
  await stage.write({
    "library/file.txt": "else\n",
    ".git/modules/library/info/attributes": "* filter=x diff=x\n",
  });
}

export const programCases: readonly Case[] = [
  {
    title: "a file system monitor",
    isWritten: true,
    trigger: ["status"],
    plant: async (stage) => stage.set({ "core.fsmonitor": await stage.trap("exit 1") }),
  },
  {
    title: "a file system monitor that says nothing has changed",
    trigger: ["status"],
    plant: async (stage) => {
      await stage.set({
        "core.fsmonitor": await stage.trap("printf 'token\\0'"),
        "core.fsmonitorHookVersion": "2",
      });
      await stage.git("status");
      await stage.git("update-index", "--fsmonitor-valid", "tracked.txt", "folder/inner.txt");
      await rm(stage.canary);
    },
  },
  {
    title: "a hook that runs when the index is written",
    isWritten: true,
    trigger: ["add", "-A"],
    plant: async (stage) => {
      await mkdir(stage.path(".git/hooks"));
      const line = `#!/bin/sh\nexec ${await stage.trap("exit 0")}\n`;
      await writeFile(stage.path(".git/hooks/post-index-change"), line, { mode: 0o755 });
    },
  },
  {
    title: "hooks in a directory named by the settings",
    isWritten: true,
    trigger: ["add", "-A"],
    plant: async (stage) => {
      await mkdir(stage.path("hooks"));
      await writeFile(
        stage.path("hooks/post-index-change"),
        `#!/bin/sh\nexec ${await stage.trap("exit 0")}\n`,
        { mode: 0o755 },
      );
      await stage.commit({});
      await stage.set({ "core.hooksPath": "hooks" });
    },
  },
  {
    title: "an external diff",
    trigger: ["diff"],
    plant: async (stage) => stage.set({ "diff.external": await stage.trap("exit 0") }),
  },
  {
    title: "a diff driver with a command",
    trigger: ["diff"],
    plant: async (stage) => {
      await stage.set({ "diff.evil.command": await stage.trap("exit 0") });
      await attributes(stage, "* diff=evil\n");
    },
  },
  {
    title: "a textconv whose results git would store in the repository",
    trigger: ["diff"],
    plant: async (stage) => {
      await stage.set({
        "diff.evil.textconv": await stage.trap("echo same"),
        "diff.evil.cachetextconv": "true",
      });
      await attributes(stage, "* diff=evil\n");
    },
  },
  {
    title: "a merge driver, in the middle of a conflict",
    trigger: ["checkout", "-m", "--", "tracked.txt"],
    plant: async (stage) => {
      await stage.git("checkout", "-q", "-b", "theirs");
      await stage.commit({ "tracked.txt": "theirs\n" });
      await stage.git("checkout", "-q", "main");
      await stage.commit({ "tracked.txt": "ours\n" });
      await stage.git("merge", "theirs").catch(() => undefined);
      await stage.set({ "merge.evil.driver": await stage.trap("exit 1") });
      await attributes(stage, "* merge=evil\n");
    },
    files: ["conflicted tracked.txt +4 -0"],
    shows: ["+<<<<<<< HEAD"],
  },
  {
    title: "a signature program",
    trigger: ["log", "--show-signature"],
    plant: async (stage) => {
      const lines = [
        "#!/bin/sh",
        "cat > /dev/null",
        "echo '[GNUPG:] SIG_CREATED ' >&2",
        "echo -----BEGIN PGP SIGNATURE-----",
        "echo -----END PGP SIGNATURE-----",
      ];
      await writeFile(stage.beside("signer"), lines.join("\n"), { mode: 0o755 });
      await stage.git(
        "-c",
        `gpg.program=${stage.beside("signer")}`,
        "commit",
        "-q",
        "-S",
        "--allow-empty",
        "-m",
        "signed",
      );
      await stage.set({ "gpg.program": await stage.trap("exit 1"), "log.showSignature": "true" });
    },
  },
  {
    title: "aliases, including some for the commands Drover uses",
    trigger: ["st"],
    plant: async (stage) => {
      const trap = await stage.trap("exit 0");
      for (const name of ["st", "status", "diff", "config", "rev-parse", "ls-files", "update-index"]) {
        await stage.set({ [`alias.${name}`]: `!${trap}` });
      }
    },
  },
  {
    title: "a pager and an editor",
    trigger: ["commit", "--allow-empty"],
    plant: async (stage) => {
      const trap = await stage.trap("exit 0");
      await stage.set({ "core.pager": trap, "pager.diff": trap, "pager.status": trap, "core.editor": trap });
    },
  },
  {
    title: "the transport a partial clone uses to fetch missing objects",
    trigger: ["diff", "HEAD"],
    plant: async (stage) =>
      partialClone(stage, {
        "remote.origin.url": "ssh://example.invalid/a.git",
        "protocol.ssh.allow": "always",
        "core.sshCommand": await stage.trap("exit 1"),
      }),
    refused: "UNSUPPORTED",
    context: "Working tree: dirty (1 staged)",
  },
  {
    title: "a remote helper a partial clone uses to fetch missing objects",
    trigger: ["diff", "HEAD"],
    plant: async (stage) =>
      partialClone(stage, {
        "remote.origin.url": `ext::${await stage.trap("exit 1")}`,
        "protocol.ext.allow": "always",
      }),
    refused: "UNSUPPORTED",
    context: "Working tree: dirty (1 staged)",
  },
  {
    title: "a filter in a submodule",
    isWritten: true,
    trigger: ["status"],
    plant: async (stage) => {
      await submodule(stage);
      await stage.gitIn(stage.path("library"), "config", "filter.x.clean", await stage.trap());
    },
  },
  {
    title: "a submodule that git would show in full, through the submodule's own textconv",
    trigger: ["diff"],
    plant: async (stage) => {
      await submodule(stage);
      await stage.set({ "diff.submodule": "diff", "status.submoduleSummary": "true" });
      await stage.gitIn(stage.path("library"), "config", "diff.x.textconv", await stage.trap());
    },
  },
];
