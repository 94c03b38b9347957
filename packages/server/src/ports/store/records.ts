import type { Alarms } from "./alarms.ts";
import type { Reactions } from "./reactions.ts";

/** What a request that may be repeated is known by. */
export interface Intent {
  /** Unique per intent: `send:SESSION:id:CLIENT_MESSAGE_ID` or `http:KEY`. */
  readonly key: string;
  /** Of the request's content: the same key with another hash is a conflict. */
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
}

/** A browser that is logged in. Of its secrets only the SHA-256 is kept, in hexadecimal. */
export interface LoginRow {
  readonly id: string;
  readonly cookieHash: string;
  readonly keyHash: string;
  /** The token of the install when it logged in: the login ends with that token. */
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
  /** Does nothing when the login has been removed. */
  useLogin(id: string, lastUsedAt: string): Promise<void>;
  removeLogins(ids: readonly string[]): Promise<void>;
}

/** Small things that are found by their own key. Implementations pass test/contract/records.ts. */
export interface Records extends ReceiptRecords, ProjectRecords, LoginRecords, Alarms, Reactions {}
