import { randomUUID } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { RequestError } from "@agentclientprotocol/sdk";
import type { StandingVerdicts } from "./permission.ts";
import { stateDirectory } from "./state-directory.ts";
import { clip, messageOf } from "./text.ts";
import type { Turn } from "./turn.ts";

const messageMax = 16 * 1024;
const messagesMax = 200;
const idPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export interface Message {
  readonly role: "user" | "agent";
  readonly text: string;
}

/** What is kept of a conversation on disk. */
export interface SessionRecord {
  readonly id: string;
  readonly cwd: string;
  readonly updatedAt: string;
  /** Words said by both sides: what a model would have as its context. */
  readonly words: number;
  /** The newest messages, each cut to a sensible length. */
  readonly history: readonly Message[];
  /** What the next prompt makes the agent do. */
  readonly later?: string;
}

/** A conversation this process has open. */
export interface Session {
  record: SessionRecord;
  readonly standing: StandingVerdicts;
  turn?: Turn;
}

/**
 * The conversations of the demo agent: open ones in memory, all of them as one small file each. Files are written
 * synchronously and renamed into place, so a reader finds either the old or the new one.
 */
export class Sessions {
  readonly #directory = stateDirectory();
  readonly #open = new Map<string, Session>();

  create(cwd: string): Session {
    const id = randomUUID();
    return this.#admit({ id, cwd, updatedAt: now(), words: 0, history: [] });
  }

  /** An open conversation, or one that an earlier process saved; it continues in `cwd`. */
  load(id: string, cwd: string): Session {
    const known = this.#open.get(id);
    const record = known?.record ?? this.#read(id);
    if (!record) throw RequestError.sessionNotFound(id);
    if (!known) return this.#admit({ ...record, cwd });
    known.record = { ...known.record, cwd };
    this.#save(known.record);
    return known;
  }

  get(id: string): Session {
    const session = this.#open.get(id);
    if (!session) throw RequestError.sessionNotFound(id);
    return session;
  }

  /** Forgets it in memory; the file stays, and `load` brings it back. */
  close(id: string): void {
    this.get(id).turn?.cancel();
    this.#open.delete(id);
  }

  /** The saved conversations, newest first. */
  list(cwd?: string): SessionRecord[] {
    return this.#ids()
      .flatMap((id) => this.#read(id) ?? [])
      .filter((record) => cwd === undefined || record.cwd === cwd)
      .sort((a, b) => b.updatedAt.localeCompare(a.updatedAt));
  }

  remember(session: Session, message: Message, words: number): void {
    const { record } = session;
    const kept = { role: message.role, text: clip(message.text, messageMax) };
    session.record = {
      ...record,
      updatedAt: now(),
      words: record.words + words,
      history: [...record.history, kept].slice(-messagesMax),
    };
    this.#save(session.record);
  }

  /** Keeps what is left of a script, or forgets it. */
  postpone(session: Session, later: string | undefined): void {
    const { later: before, ...record } = session.record;
    if (later === before) return;
    session.record = { ...record, ...(later === undefined ? {} : { later }) };
    this.#save(session.record);
  }

  #admit(record: SessionRecord): Session {
    const session: Session = { record, standing: new Map() };
    this.#open.set(record.id, session);
    this.#save(record);
    return session;
  }

  /** A conversation that cannot be saved still works until the process ends. */
  #save(record: SessionRecord): void {
    const path = join(this.#directory, `${record.id}.json`);
    const draft = `${path}.${process.pid}`;
    try {
      mkdirSync(this.#directory, { recursive: true, mode: 0o700 });
      writeFileSync(draft, JSON.stringify(record), { mode: 0o600 });
      renameSync(draft, path);
    } catch (error) {
      process.stderr.write(`demo: could not save the session: ${messageOf(error)}\n`);
    }
  }

  #ids(): string[] {
    try {
      const names = readdirSync(this.#directory).filter((name) => name.endsWith(".json"));
      return names.map((name) => name.slice(0, -".json".length));
    } catch {
      return []; // no session was ever saved
    }
  }

  /** Undefined if there is no such file or it does not contain a session: both mean that it is unknown. */
  #read(id: string): SessionRecord | undefined {
    if (!idPattern.test(id)) return undefined;
    try {
      return parseRecord(readFileSync(join(this.#directory, `${id}.json`), "utf8"));
    } catch {
      return undefined;
    }
  }
}

function parseRecord(text: string): SessionRecord | undefined {
  const value: Partial<Record<keyof SessionRecord, unknown>> = JSON.parse(text);
  const { id, cwd, updatedAt, words, history, later } = value;
  if (typeof id !== "string" || typeof cwd !== "string" || typeof updatedAt !== "string") return undefined;
  if (typeof words !== "number" || !Array.isArray(history) || !history.every(isMessage)) return undefined;
  return { id, cwd, updatedAt, words, history, ...(typeof later === "string" ? { later } : {}) };
}

function isMessage(value: unknown): value is Message {
  if (typeof value !== "object" || value === null || !("role" in value) || !("text" in value)) return false;
  return (value.role === "user" || value.role === "agent") && typeof value.text === "string";
}

function now(): string {
  return new Date().toISOString();
}
