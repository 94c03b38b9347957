import { chmod, mkdir, readlink, rm, stat, symlink, utimes, writeFile } from "node:fs/promises";
import type { Case, Stage } from "./stage.ts";

/** Marks files in the index, then changes them. */
const marked =
  (...flags: string[]): Case["plant"] =>
  async (stage) => {
    await stage.git("update-index", ...flags, "tracked.txt", "folder/inner.txt");
    await stage.write({ "tracked.txt": "other\n" });
    await rm(stage.path("folder/inner.txt"));
  };
const markedFiles = ["deleted folder/inner.txt +0 -1", "modified tracked.txt +1 -1"];

const bytes = (stage: Stage, name: string) => Buffer.from(`${stage.top}/${name}`, "latin1");

/** Changes a file but keeps its size and times. */
async function changeQuietly(path: string, content: string): Promise<void> {
  const { atime, mtime } = await stat(path);
  await writeFile(path, content);
  await utimes(path, atime, mtime);
}

async function sparseIndex(stage: Stage): Promise<void> {
  await stage.git("sparse-checkout", "set", "--cone", "--sparse-index", "nothing");
  await stage.set({ "sparse.expectFilesOutsideOfPatterns": "true" });
}

async function attributes(stage: Stage, text: string): Promise<void> {
  await mkdir(stage.path(".git/info"), { recursive: true });
  await stage.write({ ".git/info/attributes": text });
}

export const hidingCases: readonly Case[] = [
  {
    title: "files marked as assumed unchanged",
    plant: marked("--assume-unchanged"),
    files: markedFiles,
    shows: ["+other", "-inner"],
  },
  {
    title: "files marked to be skipped in the working tree",
    plant: marked("--skip-worktree"),
    files: markedFiles,
    shows: ["+other", "-inner"],
  },
  {
    title: "both marks, in an index of version 4",
    isWritten: true,
    plant: async (stage) => {
      await stage.git("update-index", "--index-version", "4");
      await stage.git("update-index", "--skip-worktree", "tracked.txt", "folder/inner.txt");
      await marked("--assume-unchanged")(stage);
    },
    files: markedFiles,
    shows: ["+other", "-inner"],
  },
  {
    title: "a file that a sparse checkout leaves out",
    plant: async (stage) => {
      await stage.git("sparse-checkout", "set", "--cone", "nothing");
      await stage.set({ "sparse.expectFilesOutsideOfPatterns": "true" });
      await mkdir(stage.path("folder"));
      await stage.write({ "folder/inner.txt": "other\n" });
    },
    files: ["modified folder/inner.txt +1 -1"],
    shows: ["+other"],
  },
  {
    title: "the remaining files of a sparse checkout with a sparse index",
    plant: (stage) => sparseIndex(stage),
  },
  {
    title: "a file that a sparse checkout with a sparse index leaves out",
    plant: async (stage) => {
      await sparseIndex(stage);
      await mkdir(stage.path("folder"));
      await stage.write({ "folder/inner.txt": "other\n" });
    },
    refused: "UNSUPPORTED",
  },
  {
    title: "a changed file with the same size and times, under core.checkStat=minimal",
    plant: async (stage) => {
      await utimes(stage.path("tracked.txt"), 1_000_000, 1_000_000);
      await stage.git("update-index", "--refresh");
      await stage.set({ "core.checkStat": "minimal", "core.trustctime": "false" });
      await changeQuietly(stage.path("tracked.txt"), "other\n");
    },
    files: ["modified tracked.txt +1 -1"],
    shows: ["+other"],
  },
  {
    title: "a new file hidden by the untracked cache",
    plant: async (stage) => {
      await stage.set({
        "core.checkStat": "minimal",
        "core.trustctime": "false",
        "core.untrackedCache": "true",
      });
      const before = new Date(1_000_000_000);
      await utimes(stage.path("folder"), before, before);
      await stage.git("status");
      await stage.git("status");
      await stage.write({ "folder/new.txt": "new\n" });
      await utimes(stage.path("folder"), before, before);
    },
    files: ["untracked folder/new.txt +1 -0"],
    shows: ["+new"],
  },
  {
    title: "settings that leave out new files, submodules and content",
    plant: (stage) =>
      stage.set({
        "status.showUntrackedFiles": "no",
        "diff.ignoreSubmodules": "all",
        "core.bigFileThreshold": "1",
        "diff.orderFile": "/nonexistent",
        "diff.relative": "folder",
        "core.quotePath": "false",
      }),
  },
  {
    title: "core.ignoreCase, where Makefile and makefile are two files",
    plant: async (stage) => {
      await stage.commit({ Makefile: "all:\n" });
      await stage.set({ "core.ignoreCase": "true" });
      await stage.write({ makefile: "evil:\n" });
    },
    files: ["untracked makefile +1 -0"],
    shows: ["+evil:"],
  },
  {
    title: "core.fileMode=false, for a file that became executable",
    plant: async (stage) => {
      await stage.set({ "core.fileMode": "false" });
      await chmod(stage.path("tracked.txt"), 0o755);
    },
    files: ["modified tracked.txt +0 -0"],
    shows: ["new mode 100755"],
  },
  {
    title: "core.symlinks=false, for a link that became a file",
    plant: async (stage) => {
      await symlink("tracked.txt", stage.path("link"));
      await stage.commit({});
      await stage.set({ "core.symlinks": "false" });
      const target = await readlink(stage.path("link"));
      await rm(stage.path("link"));
      await stage.write({ link: target });
    },
    files: ["modified link +0 -0"],
    shows: ["new file mode 100644"],
  },
  {
    title: "attributes that mark every file as binary",
    plant: async (stage) => {
      await attributes(stage, "* binary\n");
      await stage.commit({ ".gitattributes": "* -diff\n" });
    },
  },
  {
    title: "an attribute that makes git drop the content of $Id$",
    plant: async (stage) => {
      await stage.commit({ "tracked.txt": "$Id$\n" });
      await attributes(stage, "* ident\n");
      await stage.write({ "tracked.txt": "$Id: rm -rf ~ $\n" });
    },
    files: ["modified tracked.txt +1 -1"],
    shows: ["+$Id: rm -rf ~ $"],
  },
  {
    title: "an encoding in which different bytes are the same text",
    isWritten: true,
    plant: async (stage) => {
      await attributes(stage, "* working-tree-encoding=UTF-7\n");
      await stage.write({ "tracked.txt": "+AGYAaQByAHMAdA-\n" });
    },
    files: ["modified tracked.txt +1 -1"],
    shows: ["+++AGYAaQByAHMAdA-".replace("++", "+")],
  },
  {
    title: "an object that replaces the committed one",
    plant: async (stage) => {
      await stage.write({ "tracked.txt": "other\n" });
      const [old, other] = [
        await stage.git("rev-parse", "HEAD:tracked.txt"),
        await stage.git("hash-object", "-w", "tracked.txt"),
      ];
      await stage.git("replace", old, other);
    },
    files: ["modified tracked.txt +1 -1"],
    shows: ["+other"],
  },
  {
    title: "names that are not UTF-8: new, changed, moved and deleted files",
    isWritten: true,
    plant: async (stage) => {
      const content = "some words to know it again by\n".repeat(5);
      await mkdir(bytes(stage, "caf\xe9"));
      for (const name of ["changed\xe9", "gone\xe9", "caf\xe9/moved\xe9"])
        await writeFile(bytes(stage, name), `${name}\n${content}`);
      await stage.commit({});
      await writeFile(bytes(stage, "changed\xe9"), "changed\n");
      await writeFile(bytes(stage, "caf\xe9/new\xff"), "new\n");
      await writeFile(bytes(stage, "caf\xe9/new\xfe"), "other\n");
      await rm(bytes(stage, "gone\xe9"));
    },
    files: [
      "untracked caf⟨0xE9⟩/new⟨0xFE⟩ +1 -0",
      "untracked caf⟨0xE9⟩/new⟨0xFF⟩ +1 -0",
      "modified changed⟨0xE9⟩ +1 -6",
      "deleted gone⟨0xE9⟩ +0 -6",
    ],
    shows: ['+++ "b/caf\\351/new\\377"', "+new", "+other", "+changed"],
  },
  {
    title: "a name that looks like the notation for bytes",
    plant: (stage) => stage.write({ "⟨0xE9⟩": "new\n" }),
    files: ["untracked ⟨0xE2⟩⟨0x9F⟩⟨0xA8⟩0xE9⟩ +1 -0"],
    shows: ["+new"],
  },
];
