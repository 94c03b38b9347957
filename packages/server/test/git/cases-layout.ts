import { cp, mkdir, readFile, rename, rm, symlink, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { usually } from "../../../../test/kit/soak.ts";
import { mkfifoSync } from "./fifo.ts";
import type { Case, Stage } from "./stage.ts";

/** Another, clean repository beside the one being read. */
async function another(stage: Stage): Promise<string> {
  const path = stage.beside("another");
  await cp(stage.top, path, { recursive: true });
  return path;
}

async function evilFilter(stage: Stage, gitDirectory: string): Promise<void> {
  await mkdir(join(gitDirectory, "info"), { recursive: true });
  await writeFile(join(gitDirectory, "info/attributes"), "*.txt filter=evil\n");
  const text = `[filter "evil"]\n\tclean = ${await stage.trap()}\n`;
  await writeFile(join(gitDirectory, "config"), text, { flag: "a" });
}

export const layoutCases: readonly Case[] = [
  {
    title: "core.worktree that names a clean copy",
    plant: async (stage) => stage.set({ "core.worktree": await another(stage) }),
  },
  {
    title: "core.bare, which denies that there is a working tree",
    plant: (stage) => stage.set({ "core.bare": "true" }),
  },
  {
    title: "a .git file that leads to a git directory with filters elsewhere",
    isWritten: true,
    trigger: ["status"],
    plant: async (stage) => {
      await rename(stage.path(".git"), stage.beside("elsewhere"));
      await writeFile(stage.path(".git"), `gitdir: ${stage.beside("elsewhere")}\n`);
      await evilFilter(stage, stage.beside("elsewhere"));
      await stage.touch();
    },
  },
  {
    title: "a .git file that leads to another repository",
    isForged: true,
    plant: async (stage) => {
      const path = await another(stage);
      await rm(stage.path(".git"), { recursive: true });
      await writeFile(stage.path(".git"), `gitdir: ${path}/.git\n`);
    },
  },
  {
    title: "a .git file that leads nowhere",
    plant: async (stage) => {
      await rm(stage.path(".git"), { recursive: true });
      await writeFile(stage.path(".git"), "gitdir: /nowhere\ngitdir: /nowhere else\n");
    },
    refused: "UNSUPPORTED",
  },
  {
    title: "a .git that is a link",
    trigger: ["status"],
    plant: async (stage) => {
      await rename(stage.path(".git"), stage.beside("elsewhere"));
      await symlink(stage.beside("elsewhere"), stage.path(".git"));
      await evilFilter(stage, stage.beside("elsewhere"));
      await stage.touch();
    },
  },
  {
    title: "a common directory with filters elsewhere",
    isForged: true,
    trigger: ["status"],
    plant: async (stage) => {
      const path = await another(stage);
      await writeFile(stage.path(".git/commondir"), `${path}/.git\n`);
      await evilFilter(stage, `${path}/.git`);
      await stage.touch();
    },
  },
  {
    title: "a linked working tree",
    isWritten: true,
    trigger: ["status"],
    plant: async (stage) => {
      stage.cwd = stage.beside("linked");
      await stage.git("worktree", "add", "-q", stage.cwd);
      await evilFilter(stage, stage.path(".git"));
      await utimes(join(stage.cwd, "folder/inner.txt"), 1, 1);
      await writeFile(join(stage.cwd, "tracked.txt"), "other\n");
    },
    files: ["modified tracked.txt +1 -1"],
    shows: ["+other"],
  },
  {
    title: "a folder that looks like a bare repository",
    trigger: ["x"],
    plant: async (stage) => {
      stage.cwd = stage.path("bare");
      await stage.git("clone", "-q", "--bare", ".", "bare");
      await stage.write({
        "bare/config": `[core]\n\tbare = true\n[alias]\n\tx = !${await stage.trap("exit 0")}\n`,
      });
      await stage.git("add", "-A");
      await stage.git("commit", "-q", "-m", "bait");
      await stage.write({ "bare/new.txt": "new\n" });
    },
    files: ["untracked new.txt +1 -0"],
    shows: ["+new"],
  },
  {
    title: "a subfolder with an empty .git",
    plant: async (stage) => {
      stage.cwd = stage.path("folder");
      await mkdir(stage.path("folder/.git"));
      await stage.write({ "folder/inner.txt": "other\n" });
    },
    files: ["modified inner.txt +1 -1"],
    shows: ["+other"],
  },
  {
    title: "a nested repository with files in it",
    isWritten: true,
    trigger: ["-C", "inner", "status"],
    plant: async (stage) => {
      await mkdir(stage.path("inner"));
      await stage.gitIn(stage.path("inner"), "init", "-q", "--template=");
      await stage.write({ "inner/file.txt": "file\n" });
      await stage.gitIn(stage.path("inner"), "add", "-A");
      await stage.gitIn(stage.path("inner"), "config", "core.fsmonitor", await stage.trap("exit 1"));
    },
    files: ["untracked inner +1 -0"],
    shows: ["new file mode 160000"],
  },
  {
    title: "a split index, which git would rewrite",
    isWritten: true,
    plant: async (stage) => {
      await stage.set({ "core.splitIndex": "true", "splitIndex.maxPercentChange": "0" });
      await stage.git("update-index", "--split-index");
      await stage.write({ "more.txt": "more\n" });
      await stage.git("add", "more.txt");
      await stage.git("update-index", "--assume-unchanged", "tracked.txt");
      await stage.write({ "tracked.txt": "other\n", "new.txt": "new\n" });
    },
    files: ["added more.txt +1 -0", "untracked new.txt +1 -0", "modified tracked.txt +1 -1"],
    shows: ["+other", "+more"],
  },
  {
    title: "a repository with a different hash algorithm",
    isWritten: true,
    trigger: ["status"],
    plant: async (stage) => {
      await rm(stage.path(".git"), { recursive: true });
      await stage.git("init", "-q", "--template=", "--object-format=sha256");
      await stage.git("add", "-A");
      await stage.git("commit", "-q", "-m", "sha256");
      await evilFilter(stage, stage.path(".git"));
      await stage.touch();
    },
  },
  {
    title: "alternates that lead to themselves and to a FIFO",
    plant: async (stage) => {
      await mkdir(stage.path(".git/objects/info"), { recursive: true });
      mkfifoSync(stage.path("../fifo"));
      await stage.write({
        ".git/objects/info/alternates": `${stage.path(".git/objects")}\n${stage.beside("fifo")}\n`,
      });
    },
  },
  {
    title: "a FIFO that the settings include",
    plant: async (stage) => {
      mkfifoSync(stage.path(".git/fifo"));
      await stage.set({ "include.path": "fifo" });
    },
    gitTimeoutMs: 2_000,
    refused: "REQUEST_TIMEOUT",
  },
  {
    title: "FIFOs among the files",
    plant: async (stage) => {
      await rm(stage.path("tracked.txt"));
      mkfifoSync(stage.path("tracked.txt"));
      mkfifoSync(stage.path("new.txt"));
      await mkdir(stage.path(".git/info"), { recursive: true });
      mkfifoSync(stage.path(".git/info/exclude"));
      mkfifoSync(stage.path(".git/info/attributes"));
    },
    files: ["deleted tracked.txt +0 -1"],
    shows: ["-first"],
  },
  {
    title: "a deep tree with many files",
    plant: async (stage) => {
      const deep = stage.path(...Array.from({ length: 60 }, () => "deeper"));
      await mkdir(deep, { recursive: true });
      await Promise.all(
        Array.from({ length: usually(300, { inSoak: 3_000 }) }, (_, i) =>
          writeFile(join(deep, `${i}.txt`), ""),
        ),
      );
      await stage.git("add", "-A");
      await stage.git("commit", "-q", "-m", "many");
    },
  },
  {
    title: "a truncated index",
    plant: async (stage) => {
      const index = await readFile(stage.path(".git/index"));
      await stage.write({ ".git/index": index.subarray(0, 100) });
    },
    refused: "UNSUPPORTED",
  },
];
