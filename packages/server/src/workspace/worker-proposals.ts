import { lstat, opendir, realpath } from "node:fs/promises";
import { join } from "node:path";
import {
  maxProposalBytes,
  maxProposals,
  modeRules,
  type ProposalFile,
  type ProposalKind,
  proposalFolder,
  proposalKinds,
  type WorkerMode,
  workerPaths,
} from "@drover/core";
import type { FoundProposals, WorkerFiles } from "../ports.ts";
import { openRegular, readAtMost } from "../process/regular-file.ts";
import { readFrontMatter } from "./front-matter.ts";
import { whyUnread } from "./regular-only.ts";

interface Folder {
  readonly kind: ProposalKind;
  /** Relative to the worker's directory. */
  readonly path: string;
  /** The first ones, in order. */
  readonly names: readonly string[];
  readonly count: number;
}

type Ignored = FoundProposals["ignored"][number];

/** The agent may have put anything there. */
export const readWorkerProposals: WorkerFiles["readProposals"] = async (cwd, mode) => {
  const files: ProposalFile[] = [];
  const ignored: Ignored[] = [];
  for (const kind of proposalKinds) {
    const folder = await lookInto(cwd, kind);
    if (!folder) continue;
    const problem = "problem" in folder ? folder.problem : whyForeign(folder, mode);
    if (problem !== undefined) ignored.push({ file: folder.path, problem });
    if ("problem" in folder || problem !== undefined) continue;
    const { names, count, path } = folder;
    for (const name of names.slice(0, maxProposals - files.length))
      files.push(await readProposal(join(cwd, path), { kind, name }));
    if (count > maxProposals) {
      const unread = `It has ${count} files; Drover has read the first ${maxProposals}.`;
      ignored.push({ file: path, problem: unread });
    }
  }
  return { files, ignored };
};

function whyForeign({ kind }: Folder, mode: WorkerMode): string | undefined {
  const { brings } = modeRules[mode];
  if (brings.includes(kind)) return undefined;
  const expected = brings.map(proposalFolder).join(" or ") || "no proposals";
  return `A worker of the mode ${mode} brings ${expected}.`;
}

/** The Markdown files in the folder of one kind. Undefined if there are none. */
async function lookInto(
  cwd: string,
  kind: ProposalKind,
): Promise<Folder | { readonly path: string; readonly problem: string } | undefined> {
  const path = `${workerPaths.output}/${proposalFolder(kind)}`;
  const directory = join(cwd, path);
  const found = await lstat(directory).catch(() => undefined);
  if (!found) return undefined;
  const real = await realpath(directory).catch(() => undefined);
  const isReal = found.isDirectory() && real === join(await realpath(cwd).catch(() => cwd), path);
  if (!isReal) return { path, problem: "It is no directory, or behind a link." };
  const { names, count } = await firstNames(directory);
  return count === 0 ? undefined : { kind, path, names, count };
}

/** The names of Markdown files that come first, however many there are. */
async function firstNames(directory: string): Promise<{ names: string[]; count: number }> {
  let names: string[] = [];
  let count = 0;
  for await (const { name } of await opendir(directory)) {
    if (!name.endsWith(".md")) continue;
    count += 1;
    names.push(name);
    if (names.length >= 20 * maxProposals) names = names.sort().slice(0, maxProposals);
  }
  return { names: names.sort().slice(0, maxProposals), count };
}

async function readProposal(
  directory: string,
  { kind, name }: Pick<ProposalFile, "kind" | "name">,
): Promise<ProposalFile> {
  const path = join(directory, name);
  let size = 0;
  const unread = (problem: string): ProposalFile => ({
    ...{ kind, name, size, body: "" },
    problem: `The file ${problem}.`,
  });
  try {
    const found = await lstat(path);
    const why = whyUnread(found);
    if (why !== undefined) return unread(why);
    size = found.size;
    await using file = await openRegular(path, { followLinks: false });
    const bytes = await readAtMost(file, maxProposalBytes);
    if (!bytes) return unread(`has more than ${maxProposalBytes} bytes`);
    return { ...{ kind, name, size: bytes.length }, ...(await readFrontMatter(bytes.toString("utf8"))) };
  } catch (error) {
    return unread(`cannot be read (${(error as NodeJS.ErrnoException).code ?? "it changed meanwhile"})`);
  }
}
