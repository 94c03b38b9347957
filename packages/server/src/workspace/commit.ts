import {
  type CommitChanges,
  type CommitRefusal,
  type Committed,
  ok,
  pathBytes,
  pathText,
  type Rejection,
  type Result,
  reject,
  shellWord,
} from "@drover/core";
import { commitFiles, NotCommitted } from "../git/commit.ts";
import { IndexLocked } from "../git/index-lock.ts";
import type { GitPlace } from "../git/repository.ts";
import { ForgedTree, findTree, type GitTree } from "../git/tree.ts";
import type { WorkspacePlace } from "../ports.ts";
import type { Patience } from "./patience.ts";
import { recordedTree } from "./recorded-tree.ts";
import { filesThat, someOf } from "./words.ts";

/** Commits changes of a session's directory. Undefined outside a repository; throws what git cannot do. */
export async function commit(
  { environment, scratch }: Pick<GitPlace, "environment" | "scratch">,
  place: WorkspacePlace,
  { message, paths, patience }: CommitChanges & { readonly patience: Patience },
): Promise<Result<Committed, Rejection> | undefined> {
  const { cwd } = place;
  const recorded = recordedTree(place.workspace);
  const tree: GitTree | undefined = recorded ?? (await findTree(cwd));
  if (!tree) return undefined;
  const prefix = prefixOf(tree.top, cwd);
  const wanted = (paths ?? ["."]).map(pathBytes).map((path) => (path === "." ? prefix : prefix + path));
  const git = { cwd, environment, scratch, signal: patience.signal, tree: recorded };
  const asText = (path: string) => pathText(path.startsWith(prefix) ? path.slice(prefix.length) : path);
  try {
    const order = { message: clean(message), paths: wanted, isChosen: paths !== undefined };
    const done = await commitFiles(git, tree, order);
    const branch = pathText(done.branch);
    return ok({ commit: done.commit, branch, files: done.paths.map(asText).sort() });
  } catch (error) {
    if (error instanceof IndexLocked) {
      const next = `wait for the other git, or remove ${error.lock} if none is running`;
      return refused("locked", `The index of ${tree.top} is locked; ${next}`);
    }
    if (error instanceof ForgedTree) return refused("links", `${error.message}; commit there with git`);
    if (!(error instanceof NotCommitted)) throw error;
    return explainNotCommitted(error, error.paths.map(asText), tree.top);
  }
}

/** Latin 1 stands for bytes. */
const prefixOf = (top: string, cwd: string): string =>
  cwd === top ? "" : `${Buffer.from(cwd.slice(top.length).replace(/^\//, "")).toString("latin1")}/`;

/** As git stores messages: no blank lines around it, one line feed at its end. */
const clean = (message: string): string =>
  `${message
    .replaceAll("\r\n", "\n")
    .replace(/^\s*\n/, "")
    .trimEnd()}\n`;

const IN_PROGRESS = {
  merge: "merge",
  rebase: "rebase",
  cherry_pick: "cherry-pick",
  revert: "revert",
} as const;

/** Why there can be no commit, and what to do about it. */
export function explainNotCommitted(
  { reason }: NotCommitted,
  files: readonly string[],
  top: string,
): Result<never, Rejection> {
  const git = `git -C ${shellWord(top)}`;
  switch (reason) {
    case "no_identity": {
      const command = `${git} config user.name "Your Name" && ${git} config user.email you@example.com`;
      return reject("NO_IDENTITY", `Git does not know who commits here; set it with: ${command}`, {
        command,
      });
    }
    case "nothing":
      return reject("NOTHING_TO_COMMIT", "Nothing has changed since the last commit; make a change first");
    case "unchanged_path": {
      const message = `${filesThat(files, "has", "have")} no changes to commit; name files that have, relative to the session's directory`;
      return reject("BAD_REQUEST", message, { issues: [{ path: "paths", message }] });
    }
    case "conflicts":
      return refused(
        reason,
        `${filesThat(files, "has", "have")} conflicts; resolve and \`git add\` them first`,
        files,
      );
    case "branch_in_use": {
      const next = `create a branch for this one first: ${git} switch -c NAME`;
      return refused(reason, `Another working tree is on the same branch; ${next}`);
    }
    case "detached":
      return refused(reason, `No branch is checked out; create one first: ${git} switch -c NAME`);
    case "filter": {
      const message = `${filesThat(files, "goes", "go")} through a filter such as Git LFS, which Drover does not run; commit with git`;
      return refused(reason, message, files);
    }
    case "links":
      return refused(reason, `${someOf(files)} in the git directory is a link; commit with git`);
    case "moved":
      return refused(reason, "The branch has moved meanwhile; the files are staged: commit again");
    default: {
      const name = IN_PROGRESS[reason];
      return refused(
        reason,
        `A ${name} is in progress; finish it with git, or end it: ${git} ${name} --abort`,
      );
    }
  }
}

const refused = (
  reason: CommitRefusal,
  message: string,
  files?: readonly string[],
): Result<never, Rejection> => reject("COMMIT_REFUSED", message, { reason, ...(files ? { files } : {}) });
