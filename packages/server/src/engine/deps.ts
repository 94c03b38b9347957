import type {
  Attempt,
  AttemptOutcome,
  Connection,
  DriverName,
  FollowUps,
  InspectedAgent,
  Preset,
  Rejection,
  Result,
  Rotation,
  Session,
  StartFailure,
  StopReason,
  TurnChange,
  WorkerMode,
} from "@drover/core";
import type {
  Accounts,
  Attachments,
  Checkpoints,
  Driver,
  EventLog,
  FoundLogin,
  Logger,
  Merges,
  Proposals,
  PullRequests,
  RawLogs,
  Records,
  RunCommand,
  SessionRow,
  Sessions,
  SessionWorkspace,
  Vault,
  WorkerFiles,
  WorkspaceManagers,
  WorkspacePlace,
  WorktreeUpkeep,
} from "../ports.ts";
import type { Service } from "../service.ts";
import type { WorkerSlots } from "./workers/slots.ts";

/** Durations in milliseconds, as configured. */
export interface EngineSettings {
  readonly idleAfterMs: number;
  readonly stallAfterMs: number;
  readonly queueMax: number;
  /** How long approvals and questions wait for an answer; 0 for as long as it takes. */
  readonly interactionTimeoutMs: number;
  /** How long a turn waits for a checkpoint. */
  readonly checkpointTimeoutMs: number;
  /** How long each setup command of a worktree may take. */
  readonly setupTimeoutMs: number;
  /** How long each check before a merge may take. */
  readonly checkTimeoutMs: number;
  readonly permissionMode: SessionRow["about"]["permissionMode"];
  /** The workspace of a session that does not specify one. */
  readonly workspace: Session["workspace"]["mode"];
  readonly workers: {
    /** The mode of a worker that does not specify one. */
    readonly permissionMode: SessionRow["about"]["permissionMode"];
    /** How long each run of a worker may take; 0 for as long as it takes. */
    readonly turnTimeoutMs: number;
    /** How often a worker is reminded of a signal that it did not leave, and how long before the first time. */
    readonly signalTries: number;
    readonly signalBackoffMs: number;
    /** How long a process may stay after its turn. */
    readonly doneGraceMs: number;
  };
  readonly accounts: {
    readonly rotation: Rotation;
    /** Up to here a limit is worth waiting for with the same account. */
    readonly rateLimitUpToMs: number;
    /** How long a limit lasts whose end is not known. */
    readonly assumeUntilMs: number;
  };
  readonly supervision: {
    readonly startTimeoutMs: number;
    readonly attempts: number;
    readonly backoffMs: number;
    readonly maxBackoffMs: number;
    readonly stableAfterMs: number;
    readonly stopGraceMs: number;
  };
}

/** Everything the engine uses from outside; app.ts assembles it from adapters. */
export interface EngineDeps {
  readonly store: EventLog & Sessions & Proposals & Records & Accounts;
  /** The secrets of accounts. */
  readonly vault: Vault;
  /** Takes the secrets of accounts out of Drover's own words. */
  readonly secrets: {
    readonly add: (values: Iterable<string>) => void;
    readonly redact: (text: string) => string;
  };
  /** The agent's own login, as its program would find it. */
  readonly ownLogin: (preset: Preset) => Promise<FoundLogin | undefined>;
  /** This server, as the owner of the sessions it runs. */
  readonly node: string;
  readonly drivers: Readonly<Partial<Record<DriverName, Driver>>>;
  readonly presets: ReadonlyMap<string, Preset>;
  readonly settings: EngineSettings;
  readonly logger: Logger;
  /** What may follow an attempt of a turn: another try, another account, a wait, an instruction. */
  readonly followUps: (about: {
    readonly sessionId: string;
    readonly attempt: Attempt;
    readonly outcome: AttemptOutcome;
  }) => FollowUps;
  /** Where run `run` of a session keeps its spool. */
  readonly runDirectory: (sessionId: string, run: number) => string;
  /** Where the output of a session's checks goes. */
  readonly checkDirectory: (sessionId: string) => string;
  /** Where the output of a worker's earlier runs goes. */
  readonly outputDirectory: (sessionId: string) => string;
  readonly workers: {
    readonly files: WorkerFiles;
    readonly slots: WorkerSlots;
    /** What Drover writes to workers. */
    readonly texts: {
      readonly mode: (mode: WorkerMode) => string;
      readonly instruction: (problem: string) => string;
    };
  };
  readonly rawLogs: RawLogs;
  readonly attachments: Attachments;
  /** Limits how many agents start at the same time. */
  readonly limitStarts: <T>(start: () => Promise<T>) => Promise<T>;
  /** Ends every process that carries a session's mark, with the configured grace unless one is passed. */
  readonly sweep: (sessionId: string, graceMs?: number) => Promise<void>;
  readonly runCommand: RunCommand;
  readonly environment: (about: {
    preset: Preset;
    sessionId: string;
    project: Readonly<Record<string, string>> | undefined;
    workspace?: SessionWorkspace;
    /** Absent: the agent uses its own login. */
    account?: Readonly<Record<string, string>> | undefined;
  }) => Record<string, string>;
  /** What an agent should know about its current environment; never throws. */
  readonly context: (
    place: WorkspacePlace,
  ) => Promise<{ readonly text: string; readonly isRepository: boolean }>;
  /** The top of the repository that contains a directory, unless it is the user's home, above it, or out of bounds. */
  readonly repositoryTop: (directory: string) => Promise<string | undefined>;
  /** Whether a directory is the user's home or contains it. Such a directory is never a project. */
  readonly isHomeOrAbove: (directory: string) => Promise<boolean>;
  /** A directory of Drover's own for people who have no project yet. */
  readonly tourDirectory: string;
  /** Where Drover keeps everything: installed agents, its database, the tour. */
  readonly droverHome: string;
  /** Where the configuration is read from. */
  readonly configFile: string;
  /** A client's path, resolved and inside the allowed roots; `field` is the client's field that contained it. */
  readonly resolvePath: (path: string, field: string) => Promise<Result<string, Rejection>>;
  /** Directories a person may mean by the start of a path; only those inside the allowed roots. */
  readonly subdirectories: (typed: string, limit: number) => Promise<readonly string[]>;
  /** The text of an instruction file, with limits that depend on who named it. */
  readonly readInstructions: (
    path: string,
    namedBy: "request" | "configuration",
  ) => Promise<Result<string, Rejection>>;
  readonly workspaces: WorkspaceManagers;
  readonly upkeep: WorktreeUpkeep;
  readonly merges: Merges;
  readonly pullRequests: PullRequests;
  readonly checkpoints: Checkpoints;
  /** The server's report on its own setup, passed on unchanged. */
  readonly server: Service["server"];
  /** Too little free space is left: agents are paused, and none is started. */
  readonly isStorageFull: () => boolean;
  /** Resolves when the store may accept writes again. */
  readonly storageAvailable: () => Promise<void>;
  /** What is known about an agent without starting it. */
  readonly inspect: (preset: Preset) => Promise<InspectedAgent>;
  /** Installs an agent's program; concurrent requests share one installation. Rejects with a Fault. */
  readonly install: (preset: Preset) => Promise<Result<void, Rejection>>;
  /** The agent as it is started here, found on the PATH of this environment; unchanged if it is not found. */
  readonly locate: (preset: Preset, env: Readonly<Record<string, string>>) => Promise<Preset>;
}

/** Why nothing new is accepted while storage is full. */
export const storageFull = {
  code: "STORAGE_FULL",
  message: "Too little disk space is left; free some (`drover doctor` shows what uses it), then try again",
} as const;

/** What an actor reports to the rest of the engine after a commit. */
export interface EngineSignals {
  sessionRemoved(sessionId: string): void;
  connectionChanged(sessionId: string, connection: Connection): void;
  agentSpawned(sessionId: string, pid: number): void;
  agentStopped(sessionId: string, reason: StopReason): void;
  startFailed(sessionId: string, why: Pick<StartFailure, "code" | "message">): void;
  turnChanged(change: TurnChange): void;
}
