import { mkdir, rm, utimes, writeFile } from "node:fs/promises";
import type { Case, Stage } from "./stage.ts";

/** A filter called `name` (any bytes, as Latin 1) on all text files. */
async function filter(stage: Stage, name: string, kind = "clean"): Promise<void> {
  const program = await stage.trap();
  const quoted = name.replace(/[\\"]/g, "\\$&");
  await stage.config(`[filter "${quoted}"]\n\t${kind} = ${program}\n\trequired = true\n`);
  await attribute(stage, name);
}

const attribute = async (stage: Stage, name: string) => {
  await mkdir(stage.path(".git/info"), { recursive: true });
  await writeFile(stage.path(".git/info/attributes"), Buffer.from(`*.txt filter=${name}\n`, "latin1"));
};

/** Each of them breaks another way to turn filters off by name. */
const names = ["plain", "a=b", "\xff\xfe", ""];

/** Only in a soak. */
const moreNames = ["With.dots", "a=b=c", "caf\xe9", "a\xe9=b", 'quo"te', "back\\slash", "ü"];

/** Sets times that do not match the index, so git must compare the content. */

const status = ["status"];

export const filterCases: readonly Case[] = [
  ...[...names, ...moreNames].map(
    (name): Case => ({
      title: `a filter called ${JSON.stringify(name)}`,
      isVariant: moreNames.includes(name),
      trigger: status,
      plant: async (stage) => {
        await filter(stage, name);
        await stage.touch();
      },
    }),
  ),
  {
    title: "a required filter that is a long-running process",
    trigger: status,
    plant: async (stage) => {
      await filter(stage, "process", "process");
      await stage.touch();
    },
  },
  {
    title: "a filter on entries of an index written in the same second, as in a fresh clone",
    trigger: status,
    plant: async (stage) => {
      await stage.write({ "folder/inner.txt": "INNER\n" });
      await stage.git("add", "-A");
      await stage.git("commit", "-q", "-m", "racy");
      await filter(stage, "racy");
      const now = new Date();
      await utimes(stage.path("folder/inner.txt"), now, now);
      await utimes(stage.path(".git/index"), now, now);
    },
  },
  {
    title: "a filter under core.checkStat=minimal and core.trustctime=false",
    trigger: status,
    plant: async (stage) => {
      await stage.set({ "core.checkStat": "minimal", "core.trustctime": "false" });
      await filter(stage, "minimal");
      await stage.touch();
    },
  },
  {
    title: "a filter on files that git does not know yet",
    isWritten: true,
    trigger: ["add", "-A"],
    plant: (stage) => filter(stage, "fresh"),
  },
  {
    title: "a filter defined for this working tree only",
    trigger: status,
    plant: async (stage) => {
      await stage.set({ "core.repositoryFormatVersion": "1", "extensions.worktreeConfig": "true" });
      await stage.config(`[filter "here"]\n\tclean = ${await stage.trap()}\n`, ".git/config.worktree");
      await attribute(stage, "here");
      await stage.touch();
    },
  },
  {
    title: "a filter defined in a file that the settings include",
    trigger: status,
    plant: async (stage) => {
      await stage.config(`[filter "caf\xe9"]\n\tclean = ${await stage.trap()}\n`, ".git/more");
      await stage.config('[include]\n\tpath = more\n[includeIf "onbranch:main"]\n\tpath = more\n');
      await attribute(stage, "caf\xe9");
      await stage.touch();
    },
  },
  {
    title: "a filter set by committed attributes in a folder",
    isWritten: true,
    trigger: status,
    plant: async (stage) => {
      await stage.commit({ "folder/.gitattributes": "*.txt filter=deep\n" });
      await stage.set({ "filter.deep.clean": await stage.trap() });
      await stage.touch();
    },
  },
  {
    title: "a filter set by the file in core.attributesFile",
    trigger: status,
    plant: async (stage) => {
      await writeFile(stage.beside("attributes"), "*.txt filter=far\n");
      await stage.set({
        "core.attributesFile": stage.beside("attributes"),
        "filter.far.clean": await stage.trap(),
      });
      await stage.touch();
    },
  },
  {
    title: "a smudge filter",
    isWritten: true,
    trigger: ["checkout", "--", "folder/inner.txt"],
    plant: async (stage) => {
      await filter(stage, "smudge", "smudge");
      await rm(stage.path("folder/inner.txt"));
    },
    files: ["deleted folder/inner.txt +0 -1"],
    shows: ["-inner"],
  },
];
