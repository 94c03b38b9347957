import { chmod, mkdir, rm, symlink, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { stagedHeading } from "@drover/core";
import type { Case, Stage } from "./stage.ts";

/** By case, by NTFS in two ways, by HFS+, and in a folder. */
const refusedNames = [
  ".GIT",
  "GIT~1/payload.sh",
  ".git::$INDEX_ALLOCATION",
  ".g\u200cit",
  "folder/deep/.gIt/x",
];

/** Only in a soak. */
const moreRefusedNames = [
  ".Git/hooks/x",
  ".git ",
  ".git.",
  ".git...",
  ".git:x",
  "folder/.GIT",
  "folder/git~1",
  "folder\\.git\\x",
];

async function put(stage: Stage, name: string, content: string): Promise<void> {
  await mkdir(dirname(stage.path(name)), { recursive: true });
  await writeFile(stage.path(name), content);
}

/** A tree that exists only in the repository's objects, and a sparse index that refers to it. */
async function sparse(stage: Stage): Promise<void> {
  await mkdir(stage.path("left-out/deep"), { recursive: true });
  await stage.commit({ "left-out/deep/a.txt": "a\n", "left-out/b.txt": "b\n" });
  await stage.git("sparse-checkout", "set", "--cone", "--sparse-index", "folder");
}

/** Names that git refuses to add, and staged content that is not in the working tree. */
export const stagingCases: readonly Case[] = [
  ...[...refusedNames, ...moreRefusedNames].map(
    (name): Case => ({
      title: `a file that git refuses to add: ${name}`,
      isVariant: moreRefusedNames.includes(name),
      plant: (stage) => put(stage, name, "evil\n"),
      files: [`untracked ${name} +1 -0`],
      shows: ["+evil"],
    }),
  ),
  {
    title: "a link with a name that git refuses to add",
    isWritten: true,
    plant: async (stage) => {
      await writeFile(stage.beside("secret"), "secret\n");
      await symlink(stage.beside("secret"), stage.path(".GIT"));
    },
    files: ["untracked .GIT +1 -0"],
    shows: ["new file mode 120000", "\\ No newline at end of file"],
  },
  {
    title: "a refused name with an index of version 4",
    plant: async (stage) => {
      await stage.git("update-index", "--index-version", "4");
      await put(stage, "folder/.Git/x", "evil\n");
    },
    files: ["untracked folder/.Git/x +1 -0"],
    shows: ["+evil"],
  },
  {
    title: "a refused name with a split index",
    plant: async (stage) => {
      await stage.git("update-index", "--split-index");
      await put(stage, "folder/.Git/x", "evil\n");
    },
    files: ["untracked folder/.Git/x +1 -0"],
    shows: ["+evil"],
  },
  {
    title: "a file that became a directory, and a directory that became a file",
    isWritten: true,
    plant: async (stage) => {
      await rm(stage.path("tracked.txt"));
      await rm(stage.path("folder"), { recursive: true });
      await put(stage, "tracked.txt/new.txt", "new\n");
      await stage.write({ folder: "a file\n" });
    },
    files: [
      "untracked folder +1 -0",
      "deleted folder/inner.txt +0 -1",
      "deleted tracked.txt +0 -1",
      "untracked tracked.txt/new.txt +1 -0",
    ],
    shows: ["+new", "+a file"],
  },
  {
    title: "a staged change that was undone in the working tree",
    plant: async (stage) => {
      await stage.write({ "tracked.txt": "evil\n" });
      await stage.git("add", "-A");
      await stage.write({ "tracked.txt": "first\n" });
    },
    files: ["modified tracked.txt +1 -1 staged"],
    shows: [stagedHeading, "-first", "+evil"],
  },
  {
    title: "a new file that was staged and deleted",
    plant: async (stage) => {
      await stage.write({ "evil.txt": "evil\n" });
      await stage.git("add", "-A");
      await rm(stage.path("evil.txt"));
    },
    files: ["added evil.txt +1 -0 staged"],
    shows: [stagedHeading, "+evil"],
  },
  {
    title: "a staged change under an unstaged one",
    plant: async (stage) => {
      await stage.write({ "tracked.txt": "evil\n" });
      await stage.git("add", "-A");
      await stage.write({ "tracked.txt": "other\n" });
    },
    files: ["modified tracked.txt +1 -1 staged"],
    shows: [stagedHeading, "+evil", "+other"],
  },
  {
    title: "a file staged for deletion that still exists",
    plant: async (stage) => void (await stage.git("rm", "-q", "--cached", "tracked.txt")),
    files: ["deleted tracked.txt +0 -1 staged"],
    shows: [stagedHeading, "deleted file mode 100644", "-first"],
  },
  {
    title: "a sparse index beside new files and files with new times",
    plant: async (stage) => {
      await sparse(stage);
      await stage.git("update-index", "--refresh");
      await stage.write({ "folder/inner.txt": "inner\n", "tracked.txt": "other\n", "new.txt": "new\n" });
    },
    files: ["untracked new.txt +1 -0", "modified tracked.txt +1 -1"],
    shows: ["+other", "+new"],
  },
  {
    title: "a sparse index that leaves nothing out",
    plant: async (stage) => {
      await stage.git("sparse-checkout", "set", "--cone", "--sparse-index", "folder");
    },
  },
  {
    title: "core.fileMode=false, for a file that is executable in HEAD as well",
    plant: async (stage) => {
      await stage.set({ "core.fileMode": "false" });
      await chmod(stage.path(".git/HEAD"), 0o755);
      await chmod(stage.path("tracked.txt"), 0o755);
    },
    files: ["modified tracked.txt +0 -0"],
    shows: ["new mode 100755"],
  },
];
