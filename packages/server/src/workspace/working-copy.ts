import { type GitPlace, openRepository, type Repository } from "../git/repository.ts";

/** A repository whose index knows untracked files too: one comparison shows all of the working tree. */
export interface WorkingCopy extends Repository {
  /** Names as git has them; Latin 1 stands for bytes. */
  readonly untracked: ReadonlySet<string>;
  readonly conflicted: ReadonlySet<string>;
}

/** Undefined when there is no working tree at `place.cwd`, or git refuses it (another user's). */
export async function openWorkingCopy(place: GitPlace): Promise<WorkingCopy | undefined> {
  const repository = await openRepository(place);
  if (!repository) return undefined;
  try {
    const listed = await repository.run({ args: LIST_ARGS });
    const { untracked, nested, conflicted } = parseListed(listed.toString("latin1"));
    await addEmpty(repository, { untracked, nested });
    return { ...repository, untracked: new Set([...untracked, ...nested]), conflicted };
  } catch (error) {
    await repository[Symbol.asyncDispose]();
    throw error;
  }
}

const LIST_ARGS = ["ls-files", "-t", "-z", "--others", "--unmerged", "--exclude-standard"];

interface Untracked {
  readonly untracked: readonly string[];
  /** Directories that are repositories of their own. */
  readonly nested: readonly string[];
}

/** `? PATH` for what git does not know, `M MODE HASH STAGE\tPATH` for each side of a conflict. */
function parseListed(output: string): Untracked & Pick<WorkingCopy, "conflicted"> {
  const entries = output.split("\0").filter((entry) => entry !== "");
  const paths = (tag: string) => entries.filter((entry) => entry.startsWith(tag)).map((e) => e.slice(2));
  const others = paths("? ");
  return {
    untracked: others.filter((path) => !path.endsWith("/")),
    nested: others.filter((path) => path.endsWith("/")).map((path) => path.slice(0, -1)),
    conflicted: new Set(paths("M ").map((entry) => entry.slice(entry.indexOf("\t") + 1))),
  };
}

/** Git refuses the null id, and reads the real one from the repository inside; one without commits keeps this. */
const NO_COMMIT = "1";

/** Adds files as if they were empty, and repositories inside as submodules: a diff then shows what is there. */
async function addEmpty(repository: Repository, { untracked, nested }: Untracked): Promise<void> {
  if (untracked.length + nested.length === 0) return;
  const { emptyBlob, prefix } = repository;
  const noCommit = NO_COMMIT.padStart(emptyBlob.length, "0");
  const lines = [
    ...untracked.map((path) => `100644 ${emptyBlob} 0\t${prefix}${path}\0`),
    ...nested.map((path) => `160000 ${noCommit} 0\t${prefix}${path}\0`),
  ];
  const input = Buffer.from(lines.join(""), "latin1");
  await repository.run({ args: ["update-index", "-z", "--index-info"], input });
}
