import type {
  CommitChanges,
  Committed,
  FileLines,
  FileMatches,
  FileRange,
  KeptWorkInfo,
  MatchQuery,
  Rejection,
  Result,
  WorkspaceChanges,
  WorkspaceMode,
  WorktreeInfo,
} from "@drover/core";
import type { KeptRef, SessionWorkspace } from "./store/session-row.ts";

/** A directory of the user's own as a workspace. */
export const localWorkspace = (directory: string): SessionWorkspace => ({
  mode: "local",
  path: directory,
  projectDir: directory,
  confined: false,
});

/** What a person wants for a new session. */
export interface NewWorkspace {
  /** The session's name. */
  readonly name: string;
  /** The directory a person chose, resolved. */
  readonly directory: string;
  readonly base?: string | undefined;
  readonly reattach?: boolean | undefined;
  /** Its project may be used as its files say. */
  readonly trusted: boolean;
}

export interface MadeWorkspace {
  readonly workspace: SessionWorkspace;
  /** The directory the agent runs in. */
  readonly cwd: string;
  /** Its files were just written: nothing that ignored files would have is there. */
  readonly isNew: boolean;
  /** What people should know about it, once. */
  readonly notices: readonly WorkspaceNotice[];
}

export interface WorkspaceNotice {
  readonly code: string;
  readonly message: string;
  readonly facts: Readonly<Record<string, unknown>>;
}

/** Work that was in a workspace and in no branch: uncommitted files, or commits. */
export interface KeptWork {
  readonly ref: string;
  readonly branch: string;
  /** The ref of commits, if there were uncommitted files as well. */
  readonly commits?: string;
}

/** A repository that was inside a workspace. */
export interface MovedRepository {
  readonly from: string;
  readonly to: string;
}

export interface KeepOptions {
  readonly force: boolean;
  readonly checkOnly?: boolean;
}

/** `altered`: something in it would lead git elsewhere. */
export type WorkspaceCondition =
  | { readonly state: "ready" }
  | { readonly state: "missing" | "altered"; readonly message: string };

/** A session's workspace and the directory in it where its agent runs. */
export interface WorkspacePlace {
  readonly workspace: SessionWorkspace;
  readonly cwd: string;
}

/** What is known about a worktree without its session. */
export type SurveyedWorktree = Omit<WorktreeInfo, "session" | "orphaned">;

/** What a session's directory is, one implementation per mode. They pass test/contract/workspaces.ts. */
export interface WorkspaceManager {
  readonly mode: WorkspaceMode;
  /**
   * Makes the workspace of a new session. `begin` is awaited right before anything is made: if the server dies after
   * that, `destroy` of what it was given leaves nothing behind. A rejection leaves nothing either.
   */
  create(wanted: NewWorkspace, begin: Begin): Promise<Result<MadeWorkspace, Rejection>>;
  /** Looks whether an agent can work there. Changes nothing. */
  inspect(place: WorkspacePlace): Promise<WorkspaceCondition>;
  /** Makes a missing workspace again and undoes alterations, as far as it can. */
  restore(place: WorkspacePlace): Promise<Result<Pick<MadeWorkspace, "isNew">, Rejection>>;
  /** Its own ports. It gets others if another workspace needed them while its files were gone. */
  ports(workspace: SessionWorkspace): Promise<Result<SessionWorkspace["ports"], Rejection>>;
  /**
   * Keeps the work that only the workspace has. Without `force`, uncommitted work is rejected with WORKSPACE_DIRTY;
   * `checkOnly` does nothing else.
   */
  keep(workspace: SessionWorkspace, options: KeepOptions): Promise<Result<KeptWork | undefined, Rejection>>;
  /**
   * Removes it with everything in it, except for repositories: they are moved. May be repeated. `isUnused`: no agent has
   * worked there.
   */
  destroy(
    workspace: SessionWorkspace,
    options: { readonly isUnused: boolean },
  ): Promise<readonly MovedRepository[]>;
  /** What has changed since the last commit. Rejections are for people: no git, or broken, or too slow. */
  changes(place: WorkspacePlace): Promise<Result<Omit<WorkspaceChanges, "mode" | "path">, Rejection>>;
  /** The unified diff of all changes, or of one file. Ending the iteration early ends git. */
  diff(
    place: WorkspacePlace,
    file: string | undefined,
  ): Promise<Result<AsyncIterable<Uint8Array>, Rejection>>;
  /** Commits what has changed to the branch that is checked out. */
  commit(place: WorkspacePlace, changes: CommitChanges): Promise<Result<Committed, Rejection>>;
  /** Lines of a changed file. */
  fileLines(place: WorkspacePlace, query: FileRange): Promise<Result<FileLines, Rejection>>;
  /** Files that match what was typed: what git would show, or everything nearby outside a repository. */
  files(place: WorkspacePlace, query: MatchQuery): Promise<Result<FileMatches, Rejection>>;
}

/** Called right before anything changes: if the server dies after that, `destroy` of what it was given cleans up. */
export type Begin = (workspace: SessionWorkspace) => Promise<void>;

/** Looks after worktrees and kept work in repositories, whether or not a session has them. */
export interface WorktreeUpkeep {
  /** The worktrees on record, and what else lies in these repositories. */
  survey(known: readonly SessionWorkspace[], tops: readonly string[]): Promise<readonly SurveyedWorktree[]>;
  /** The worktree at this path, if it is in one of these repositories and not on record. */
  orphan(path: string, tops: readonly string[]): Promise<SessionWorkspace | undefined>;
  /** Takes a worktree away from its place; its branch stays. `destroy` of what `begin` got removes the files. */
  retire(workspace: SessionWorkspace, begin: Begin): Promise<readonly MovedRepository[]>;
  /** All kept work in these repositories. */
  kept(tops: readonly string[]): Promise<readonly KeptWorkInfo[]>;
  /** Makes a worktree from kept work. */
  reopen(kept: KeptWorkInfo, begin: Begin): Promise<Result<SessionWorkspace, Rejection>>;
  /** Removes the ref of kept work, once a worktree has it. */
  forget(kept: KeptRef): Promise<void>;
  /** Removes the locks that servers which died have left in the repositories of these directories. */
  unlock(directories: readonly string[]): Promise<void>;
}

export type WorkspaceManagers = Readonly<Partial<Record<WorkspaceMode, WorkspaceManager>>>;
