import { outputOf } from "./describe.ts";
import { type Layout, privateEnvironment } from "./private-directory.ts";
import {
  type GitCommand,
  type GitOutput,
  type GitResult,
  type GitRun,
  runGit,
  streamGit,
} from "./run-git.ts";
import type { Identity } from "./settings.ts";

/**
 * Git on a private directory (`fillDirectory`) that writes objects into the repository's own store, and files into the
 * working tree at `layout.top`. No setting, filter, hook or attribute of the repository applies.
 */
export interface ObjectWriter {
  /** The id that stands for no object. */
  readonly nullId: string;
  /** Throws if git exits with a code other than 0. */
  run(command: GitCommand): Promise<Buffer>;
  /** The same for a command whose exit code is part of its answer. */
  attempt(command: GitCommand): Promise<GitResult>;
  stream(command: GitCommand): GitOutput;
  /** A commit of this tree; returns its id. */
  commit(tree: string, about: CommitAbout): Promise<string>;
}

export interface CommitAbout {
  readonly message: string;
  readonly parents?: readonly string[];
  /** Drover itself if omitted. */
  readonly identity?: Identity;
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
    ...identityVariables(DROVER),
  };
  const git: GitRun = { cwd: layout.top, environment, signal: place.signal, ownsIndex: true };
  const run = async (command: GitCommand) => outputOf(await runGit(command, git));
  return {
    nullId: "0".repeat(layout.objectFormat === "sha1" ? 40 : 64),
    run,
    attempt: (command) => runGit(command, git),
    stream: (command) => streamGit(command, git),
    async commit(tree, { message, parents = [], identity = DROVER }) {
      const args = ["commit-tree", tree, ...parents.flatMap((parent) => ["-p", parent])];
      const by = { ...git, environment: { ...environment, ...identityVariables(identity) } };
      return idIn(outputOf(await runGit({ args, input: Buffer.from(message) }, by)));
    },
  };
}

/** The id in the output of a command that prints nothing else. */
export const idIn = (output: Buffer): string => output.toString("latin1").trim();

export const DROVER: Identity = { name: "Drover", email: "drover@localhost" };

export const identityVariables = ({ name, email }: Identity): Record<string, string> => ({
  GIT_AUTHOR_NAME: name,
  GIT_AUTHOR_EMAIL: email,
  GIT_COMMITTER_NAME: name,
  GIT_COMMITTER_EMAIL: email,
});
