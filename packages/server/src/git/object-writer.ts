import { outputOf } from "./describe.ts";
import { type Layout, privateEnvironment } from "./private-directory.ts";
import { type GitCommand, type GitOutput, type GitRun, runGit, streamGit } from "./run-git.ts";

/**
 * Git on a private directory (`fillDirectory`) that writes objects into the repository's own store, and files into the
 * working tree at `layout.top`. No setting, filter, hook or attribute of the repository applies.
 */
export interface ObjectWriter {
  /** The id that stands for no object. */
  readonly nullId: string;
  /** Throws if git exits with a code other than 0. */
  run(command: GitCommand): Promise<Buffer>;
  stream(command: GitCommand): GitOutput;
  /** A commit of this tree; returns its id. */
  commit(tree: string, about: { message: string; parents?: readonly string[] }): Promise<string>;
}

export interface WriterPlace extends Omit<GitRun, "cwd" | "ownsIndex"> {
  /** The private directory. */
  readonly directory: string;
  /** Instead of the one in the private directory. */
  readonly index?: string;
}

export function objectWriter(
  layout: Pick<Layout, "top" | "objects" | "objectFormat">,
  place: WriterPlace,
): ObjectWriter {
  const environment = {
    ...place.environment,
    ...privateEnvironment(place.directory, layout.top),
    // The repository's own alternates stay reachable: git reads them from here.
    GIT_OBJECT_DIRECTORY: layout.objects,
    ...(place.index === undefined ? {} : { GIT_INDEX_FILE: place.index }),
    ...IDENTITY,
  };
  const git: GitRun = { cwd: layout.top, environment, signal: place.signal, ownsIndex: true };
  const run = async (command: GitCommand) => outputOf(await runGit(command, git));
  return {
    nullId: "0".repeat(layout.objectFormat === "sha1" ? 40 : 64),
    run,
    stream: (command) => streamGit(command, git),
    async commit(tree, { message, parents = [] }) {
      const args = ["commit-tree", tree, ...parents.flatMap((parent) => ["-p", parent])];
      return idIn(await run({ args, input: Buffer.from(message) }));
    },
  };
}

/** The id in the output of a command that prints nothing else. */
export const idIn = (output: Buffer): string => output.toString("latin1").trim();

const IDENTITY = {
  GIT_AUTHOR_NAME: "Drover",
  GIT_AUTHOR_EMAIL: "drover@localhost",
  GIT_COMMITTER_NAME: "Drover",
  GIT_COMMITTER_EMAIL: "drover@localhost",
};
