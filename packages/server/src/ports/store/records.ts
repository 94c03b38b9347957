import type { Alarms } from "./alarms.ts";
import type { Reactions } from "./reactions.ts";

/** Identifies a request that may be repeated. */
export interface Intent {
  /** Unique per intent: `send:SESSION:id:CLIENT_MESSAGE_ID` or `http:KEY`. */
  readonly key: string;
  /** Hash of the request's content: the same key with another hash is a conflict. */
  readonly hash: string;
}

export interface Receipted extends Intent {
  /** The answer, byte for byte. */
  readonly answer: string;
}

export interface ProjectRow {
  readonly id: string;
  readonly path: string;
  readonly name: string;
  readonly trusted: boolean;
  readonly env: Readonly<Record<string, string>>;
  /** Commands that run in a new worktree before its first turn. */
  readonly setup: readonly (readonly string[])[];
  /** The workspace of a session that doesn't specify one. */
  readonly workspace?: "local" | "worktree";
  /** Commands that must succeed on the result before a merge. */
  readonly checks?: readonly (readonly string[])[];
  /** The branch that work is merged into. */
  readonly target?: string;
}

/** A browser that is logged in. Only the SHA-256 of its secrets is kept, in hexadecimal. */
export interface LoginRow {
  readonly id: string;
  readonly cookieHash: string;
  readonly keyHash: string;
  /** The token of the install at login: the login ends with that token. */
  readonly tokenHash: string;
  /** Which browser it is, for people: `Firefox on Linux`. */
  readonly label: string;
  readonly createdAt: string;
  /** Accurate to the hour. */
  readonly lastUsedAt: string;
}

/** Answers to intents, so that the same intent gets the same answer. */
export interface ReceiptRecords {
  receipt(key: string): Promise<Receipted | undefined>;
  saveReceipt(receipt: Receipted): Promise<void>;
}

export interface ProjectRecords {
  projects(): Promise<ProjectRow[]>;
  saveProject(project: ProjectRow): Promise<void>;
  removeProject(id: string): Promise<void>;
}

export interface LoginRecords {
  logins(): Promise<LoginRow[]>;
  addLogin(login: LoginRow): Promise<void>;
  /** Does nothing if the login has been removed. */
  useLogin(id: string, lastUsedAt: string): Promise<void>;
  removeLogins(ids: readonly string[]): Promise<void>;
}

/** Small records that are found by their own key. Implementations pass test/contract/records.ts. */
export interface Records extends ReceiptRecords, ProjectRecords, LoginRecords, Alarms, Reactions {}
