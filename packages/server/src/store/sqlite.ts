import type { DatabaseSync } from "node:sqlite";
import type { Store } from "../ports.ts";
import { prepareAccounts } from "./accounts.ts";
import { prepareAlarms } from "./alarms.ts";
import { Checkpointer } from "./checkpoint.ts";
import { copyDatabase } from "./copy.ts";
import { prepareInteractions } from "./interactions.ts";
import { prepareItems } from "./items.ts";
import { prepareLogReads } from "./log-reads.ts";
import { prepareLogWrites } from "./log-writes.ts";
import { markDamaged, type OpenReport, openDatabase } from "./open.ts";
import { preparePending } from "./pending-workspaces.ts";
import { prepareProposals } from "./proposals.ts";
import { preparePruning } from "./prune.ts";
import { prepareReactions } from "./reactions.ts";
import { prepareRecords } from "./records.ts";
import { migrations } from "./schema.ts";
import { prepareSessionReads } from "./session-reads.ts";
import { prepareSessionWrites } from "./session-writes.ts";
import { isCorruption, translateSqliteError } from "./sqlite-error.ts";
import { GroupWriter } from "./writer.ts";

export interface SqliteStoreOptions {
  /**
   * The home's database; the caller holds the home's lock (home-lock.ts), unless it opens `beside` the process that
   * does.
   */
  readonly file: string;
  /** How long a write waits for another program that holds the database. */
  readonly busyTimeoutMs?: number;
  readonly now?: () => Date;
  /**
   * For commands that need no lock, because a server may be using this home: the database must exist and is opened as
   * it is.
   */
  readonly beside?: boolean;
}

export interface SqliteStore extends Store {
  /** What opening found and did, for `serve` to print and `doctor` to show. */
  readonly report: OpenReport;
}

/** Rejects with StoreRefused if this home cannot be opened. */
export async function openSqliteStore(options: SqliteStoreOptions): Promise<SqliteStore> {
  const { file, busyTimeoutMs = 5_000, now = () => new Date(), beside = false } = options;
  const { db, report } = await openDatabase({ file, migrations, busyTimeoutMs, now, beside });
  // From here on the writer waits asynchronously instead of SQLite.
  db.exec("PRAGMA busy_timeout = 0");
  return makeStore(db, { file, now, report, busyTimeoutMs });
}

function makeStore(
  db: DatabaseSync,
  options: { file: string; now: () => Date; report: OpenReport; busyTimeoutMs: number },
): SqliteStore {
  const { file, now, report, busyTimeoutMs } = options;
  const failed = (error: unknown) => {
    if (isCorruption(error)) markDamaged(file);
  };
  const items = prepareItems(db);
  const interactions = prepareInteractions(db);
  const logReads = prepareLogReads(db);
  const records = prepareRecords(db, now);
  const sessions = prepareSessionReads(db);
  const reactions = prepareReactions(db);
  const alarms = prepareAlarms(db);
  const accounts = prepareAccounts(db);
  const pending = preparePending(db);
  const proposals = prepareProposals(db);
  const logWrites = prepareLogWrites(db);
  const writes = prepareSessionWrites(db, {
    ...{ logReads, logWrites, items, interactions, records, reactions, alarms, pending, proposals },
  });
  const checkpointer = new Checkpointer(db, file);
  const hooks = { undone: writes.forget, failed, committed: () => checkpointer.committed() };
  const writer = new GroupWriter(db, hooks, busyTimeoutMs);
  const pruning = preparePruning(db, writer);

  /** SQLite answers synchronously; the promise is for other stores. */
  const read = async <T>(work: () => T): Promise<T> => {
    try {
      return work();
    } catch (error) {
      failed(error);
      throw translateSqliteError(error);
    }
  };
  const command = <T>(work: () => T): Promise<T> => writer.write("command", work);

  const readStream = <T>(stream: string, nothing: T, work: (key: number) => T): Promise<T> =>
    read(() => {
      const key = logReads.keyOf(stream);
      return key === undefined ? nothing : work(key);
    });

  return {
    report,
    // An owner that claims its stream again, as at every start, does not wait for the disk.
    claim: async (stream, node) =>
      (await read(() => writes.epochOf(stream, node))) ?? command(() => writes.claim(stream, node)),
    append: (append) => writer.write(append.durability, () => writes.append(append)),
    events: (stream, after, maxBytes) =>
      readStream(stream, [], (key) => logReads.events(key, after, maxBytes)),
    lastSeq: (stream) => readStream(stream, 0, (key) => logReads.lastSeq(key)),
    eventsOfTypes: (stream, range, types) =>
      readStream(stream, [], (key) => logReads.eventsOfTypes(key, range, types)),
    commits: (after, limit) => read(() => reactions.commits(after, limit)),

    create: (session, node) => command(() => writes.create(session, node)),
    session: (idOrName) => read(() => sessions.find(idOrName)),
    sessions: (query) => read(() => sessions.list(query)),
    liveSessions: () => read(() => sessions.live()),
    filings: (directory) => read(() => sessions.filings(directory)),
    sessionsIn: (directory) => read(() => sessions.idsIn(directory)),
    remove: (sessionId, epoch, leaves) =>
      command(() => writes.remove(sessionId, { epoch, deletedAt: now().toISOString(), leaves })),
    ownWorkspaces: () => read(() => sessions.ownWorkspaces()),
    pendingWorkspaces: () => read(() => pending.all()),
    savePendingWorkspace: (workspace) => command(() => pending.put(workspace)),
    removePendingWorkspace: (sessionId) => command(() => pending.remove(sessionId)),
    isNameTaken: (name) => read(() => sessions.isNameTaken(name)),

    items: (sessionId, before, limit) => readStream(sessionId, [], (key) => items.before(key, before, limit)),
    itemsAfter: (sessionId, after, limit) =>
      readStream(sessionId, [], (key) => items.after(key, after, limit)),
    usedToolCallIds: (sessionId, ids) =>
      readStream<ReadonlySet<string>>(sessionId, new Set(), (key) => items.usedToolCallIds(key, ids)),

    interaction: (id) => read(() => interactions.find(id)),
    interactions: ({ state, sessionId }) =>
      sessionId === undefined
        ? read(() => interactions.list(state, undefined))
        : readStream(sessionId, [], (key) => interactions.list(state, key)),
    settledInteraction: ({ sessionId, ...which }) =>
      readStream(sessionId, undefined, (key) => interactions.settled(key, which)),

    proposals: (sessionId) => readStream(sessionId, [], (key) => proposals.of(key)),
    proposal: (id) => read(() => proposals.find(id)),
    removeProposal: (id) => command(() => proposals.remove(id)),

    receipt: (key) => read(() => records.receipt(key)),
    saveReceipt: (receipt) =>
      command(() => {
        records.checkReceipt(receipt);
        records.putReceipt(receipt);
      }),

    projects: () => read(() => records.projects()),
    saveProject: (project) => command(() => records.putProject(project)),
    removeProject: (id) => command(() => records.removeProject(id)),

    logins: () => read(() => records.logins()),
    addLogin: (login) => command(() => records.addLogin(login)),
    useLogin: (id, lastUsedAt) => writer.write("output", () => records.useLogin(id, lastUsedAt)),
    removeLogins: (ids) => command(() => records.removeLogins(ids)),

    accounts: () => read(() => accounts.all()),
    addAccount: (account) => command(() => accounts.add(account)),
    changeAccount: (id, change) => command(() => accounts.change(id, change)),
    removeAccount: (id) => command(() => accounts.remove(id)),
    takeAccount: (group, choice) => command(() => accounts.take(group, choice)),
    markAccountExhausted: (id, exhausted) => command(() => accounts.markExhausted(id, exhausted)),
    accountUses: () => read(() => accounts.uses()),

    cursor: (reactor) => command(() => reactions.cursor(reactor)),
    handled: (handled) => writer.write("output", () => reactions.handled(handled, now().toISOString())),
    announce: (announcements) =>
      writer.write("output", () => reactions.announce(announcements, now().toISOString())),
    announcements: (after, limit) => read(() => reactions.announcements(after, limit)),
    announced: () => read(() => reactions.announced()),

    alarms: () => read(() => alarms.all()),
    saveRemaining: (remaining) => writer.write("output", () => alarms.saveRemaining(remaining)),
    removeFired: (alarm) => writer.write("output", () => alarms.removeFired(alarm)),

    prunable: (before) => read(() => pruning.prunable(before)),
    prune: (sessionId) => pruning.prune(sessionId),
    pruneReceipts: (before) => pruning.pruneReceipts(before),
    backup: (to) =>
      copyDatabase(file, to, (copy) => copy.exec("PRAGMA secure_delete = ON; DELETE FROM logins")),

    async [Symbol.asyncDispose]() {
      if (!db.isOpen) return;
      await writer.drain();
      await checkpointer.close();
      if (db.isOpen) db.close();
    },
  };
}
