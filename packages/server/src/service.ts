import type {
  AddProject,
  AgentInfo,
  Answers,
  AttachmentType,
  ChangesQuery,
  CommitChanges,
  Committed,
  ConfigReport,
  ContextEntry,
  ConversationInfo,
  CreateSession,
  Deleted,
  DeletedSession,
  DirectoryMatches,
  DirectoryWorkspace,
  DiscardChanges,
  Discarded,
  DoctorReport,
  EditQueue,
  Enqueue,
  FileLines,
  FileLinesQuery,
  FileMatches,
  ForkSession,
  Interaction,
  ItemList,
  MarkSeen,
  MatchQuery,
  PatchProject,
  PatchSession,
  PermissionMode,
  Project,
  ProposalList,
  ProposalText,
  Queue,
  Receipt,
  Rejection,
  RemoveWorktree,
  RestoredWorktree,
  RestoreWorktree,
  Reverted,
  RevertTurn,
  ReviewState,
  Scope,
  SendMessage,
  Session,
  SessionList,
  SessionStateName,
  Snapshot,
  SpawnWorker,
  WorkspaceChanges,
  WorkspaceMode,
  WorktreeList,
} from "@drover/core";
import type { EncodedEvent, Feed, InteractionFilter, RawLog } from "./ports.ts";
import type { AccountsService } from "./service/accounts.ts";
import type { Answer, Caller } from "./service/caller.ts";
import type { ReviewService } from "./service/reviews.ts";

export type { AccountsService } from "./service/accounts.ts";
export type { Answer, Caller } from "./service/caller.ts";
export type { ReviewService } from "./service/reviews.ts";

/** What a session's process requests: an operation on an existing session (`sessionId`), or a new one. */
export interface Wanted {
  readonly sessionId?: string | undefined;
  readonly agent?: string | undefined;
  readonly cwd?: string | undefined;
  readonly projectId?: string | undefined;
  readonly permissionMode?: PermissionMode | undefined;
  readonly mcpServers?: unknown;
  readonly account?: unknown;
  readonly agentSessionId?: string | undefined;
  readonly workspace?: WorkspaceMode | undefined;
  /** The session's agent will run: with it, setup commands that are due. */
  readonly isToRun?: boolean | undefined;
}

export interface DiffQuery extends ChangesQuery {
  /** Of this file only. */
  readonly path?: string | undefined;
}

/** Stored events as they are committed; called after the commit, in order, never concurrently. */
export type EventListener = (events: readonly EncodedEvent[]) => void;

/**
 * What every face (HTTP, WebSocket, later tRPC and MCP) offers: one method per ability, independent of any transport.
 */
export interface Service {
  readonly sessions: {
    create(input: CreateSession, caller: Caller): Answer<Session>;
    /** A session that continues from a point of this one, or from its end. */
    fork(idOrName: string, input: ForkSession, caller: Caller): Answer<Session>;
    list(query: {
      limit: number;
      cwd?: string;
      state?: SessionStateName;
      kind?: Session["kind"];
      projectId?: string;
      batch?: string;
      archived?: boolean;
      unread?: boolean;
      review?: readonly ReviewState[];
      agentSessionId?: string;
      before?: string;
    }): Answer<SessionList>;
    get(idOrName: string): Answer<Session>;
    patch(idOrName: string, patch: PatchSession): Answer<Session>;
    /** A person has seen the session up to a number; it stays unread if a turn has ended, or a review opened, after that. */
    markSeen(idOrName: string, seen: MarkSeen): Answer<Session>;
    remove(idOrName: string, options: { force: boolean }): Answer<DeletedSession>;
    /**
     * Accepts a message with the same `clientMessageId` once. `context`, which the agent gets before it, is Drover's
     * own: no face accepts it from outside or shows it.
     */
    send(
      idOrName: string,
      message: SendMessage & { strict: boolean; context?: readonly ContextEntry[] },
      caller: Caller,
    ): Answer<Receipt>;
    queue(idOrName: string): Answer<Queue>;
    /** Puts a message into the queue; it starts only if nothing is running and the queue is not paused. */
    enqueue(idOrName: string, message: Enqueue, caller: Caller): Answer<Queue>;
    editQueued(
      idOrName: string,
      edit: EditQueue & { readonly messageId: string },
      caller: Caller,
    ): Answer<Queue>;
    dropQueued(idOrName: string, messageId: string): Answer<Queue>;
    interrupt(idOrName: string): Answer<{ turnId?: string }>;
    stop(idOrName: string): Answer<Session>;
    /** With answers: of a worker that has asked. */
    resume(idOrName: string, input: { answers?: Answers | undefined }, caller: Caller): Answer<Session>;
    reconnect(idOrName: string): Answer<Session>;
    /**
     * Items before a number, or after one, oldest first; `after` in the answer says that more follow. Readable by id
     * even after deletion.
     */
    items(idOrName: string, page: { before?: number; after?: number; limit: number }): Answer<ItemList>;
    snapshot(idOrName: string): Answer<Snapshot>;
    /**
     * Why the request would be looser than a session, in words; undefined if it is not, or if its target does not
     * exist.
     */
    looserThan(sessionId: string, wanted: Wanted): Promise<string | undefined>;
    /** Id and last number of a session whose log is stored, including deleted ones. */
    locate(idOrName: string): Answer<{ id: string; lastSeq: number }>;
    events(sessionId: string, after: number, maxBytes: number): Promise<EncodedEvent[]>;
    subscribe(sessionId: string, listener: EventListener): Disposable;
    /** What has changed where the session works, compared with the last commit, or what else was asked for. */
    workspace(idOrName: string, query: ChangesQuery): Answer<WorkspaceChanges>;
    /** The unified diff of these changes, including untracked files, or of others. Stopping to read ends it. */
    diff(idOrName: string, query: DiffQuery): Answer<AsyncIterable<Uint8Array>>;
    /** Makes the files that a turn changed what they were before it. */
    revert(idOrName: string, input: RevertTurn): Answer<Reverted>;
    /** Puts files back as they are in the last commit, or takes out one hunk. Can be reverted like a turn. */
    discard(idOrName: string, input: DiscardChanges): Answer<Discarded>;
    /** Commits what has changed to the branch that is checked out, with the user's git identity. */
    commit(idOrName: string, input: CommitChanges): Answer<Committed>;
    /** Lines of a changed file, before or after the change. */
    fileLines(idOrName: string, query: FileLinesQuery): Answer<FileLines>;
    /** Files where the session works that match what was typed. */
    files(idOrName: string, query: MatchQuery): Answer<FileMatches>;
    /** An image that was attached to a message. */
    attachment(idOrName: string, attachmentId: string): Answer<{ mediaType: AttachmentType; bytes: Buffer }>;
    rawLog(idOrName: string, which: { stream: "stdout" | "stderr"; run?: number }): Answer<RawLog>;
  };
  readonly reviews: ReviewService;
  readonly workers: {
    /** A session of its own for a task, in a worktree; it starts as soon as there is a slot. */
    spawn(input: SpawnWorker, caller: Caller): Answer<Session>;
    /** What a session has proposed, without texts. Readable by id even after deletion. */
    proposals(idOrName: string): Answer<ProposalList>;
    proposal(id: string): Answer<ProposalText>;
    removeProposal(id: string): Answer<Deleted>;
  };
  readonly interactions: {
    /** `expired`: those without an answer in time, until a person has the agent ask again or dismisses them. */
    list(query: { state: InteractionFilter; sessionId?: string }): Promise<Interaction[]>;
    approve(
      idOrName: string,
      approval: {
        toolCallId: string;
        scope: Scope;
        input?: unknown;
        inputHash?: string | undefined;
        permissionMode?: PermissionMode | undefined;
      },
      caller: Caller,
    ): Answer<Interaction>;
    deny(
      idOrName: string,
      denial: { toolCallId: string; reason?: string | undefined },
      caller: Caller,
    ): Answer<Interaction>;
    answer(
      idOrName: string,
      submission: { toolCallId: string; answers: Answers; inputHash?: string | undefined },
      caller: Caller,
    ): Answer<Interaction>;
    /** Tells the agent that what it asked expired, and to try again. */
    askAgain(idOrName: string, expired: { toolCallId: string }, caller: Caller): Answer<Interaction>;
    /** Takes an expired one out of the inbox. */
    dismiss(idOrName: string, expired: { toolCallId: string }, caller: Caller): Answer<Interaction>;
  };
  readonly agents: {
    list(): Promise<readonly AgentInfo[]>;
    /** Installs its program, and answers once that is done; continues even if no caller waits for it. */
    add(agent: string): Answer<AgentInfo>;
    /** The agent's own conversations in the allowed directories, or in one of them. */
    conversations(
      agent: string,
      query: { cwd?: string | undefined },
    ): Answer<{ conversations: readonly ConversationInfo[] }>;
    reconnect(agent: string): Answer<{ reconnecting: number }>;
  };
  readonly accounts: AccountsService;
  readonly projects: {
    list(): Promise<readonly Project[]>;
    add(input: AddProject): Answer<Project>;
    patch(id: string, patch: PatchProject): Answer<Project>;
    remove(id: string): Answer<Deleted>;
  };
  readonly workspaces: {
    /** Every worktree that Drover made, with its session or without one, and kept work. */
    list(): Promise<WorktreeList>;
    /** Removes a worktree; its branch and its sessions stay. */
    remove(input: RemoveWorktree): Answer<DeletedSession>;
    /** Makes a worktree from kept work. */
    restore(input: RestoreWorktree): Answer<RestoredWorktree>;
  };
  /** Names to complete what a person types before there is a session. */
  readonly paths: {
    files(cwd: string, query: MatchQuery): Answer<FileMatches>;
    /** Directories in the allowed roots; `query` is the start of a path, which may begin with `~`. */
    directories(query: MatchQuery): Answer<DirectoryMatches>;
    /** Where a session in this directory would work. */
    workspace(cwd: string): Answer<DirectoryWorkspace>;
  };
  /** The setup of this server, and whether everything it needs is in order. */
  readonly server: {
    config(): ConfigReport;
    doctor(): Promise<DoctorReport>;
  };
  readonly feed: Feed;
  /** Why nothing new is accepted right now: storage is full, or the server is shutting down. */
  readonly refusing: () => Rejection | undefined;
}
