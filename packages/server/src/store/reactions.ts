import type { DatabaseSync } from "node:sqlite";
import type { Announcement, Handled, StoredAnnouncement, StoredCommit } from "../ports.ts";

/** Writes run inside the writer's transactions. */
export interface ReactionTables {
  record(commit: Omit<StoredCommit, "number">): void;
  commits(after: number, limit: number): StoredCommit[];
  cursor(reactor: string): number;
  handled(handled: Handled, at: string): StoredAnnouncement[];
  announce(announcements: readonly Announcement[], at: string): StoredAnnouncement[];
  announcements(after: number, limit: number): StoredAnnouncement[];
  announced(): { forgotten: number; last: number };
}

const announcementsKept = 100_000;
/** How many old announcements are removed at a time. */
const announcementsAtOnce = 1_000;

export function prepareReactions(db: DatabaseSync): ReactionTables {
  const insertCommit = db.prepare("INSERT INTO commits (stream, after, seq, removed) VALUES (?, ?, ?, ?)");
  const commitsAfter = db.prepare("SELECT * FROM commits WHERE number > ? ORDER BY number LIMIT ?");
  const lastCommit = db.prepare(
    "SELECT coalesce(max(seq), 0) AS number FROM sqlite_sequence WHERE name = 'commits'",
  );
  const cursorOf = db.prepare("SELECT number FROM cursors WHERE reactor = ?");
  const putCursor = db.prepare(
    `INSERT INTO cursors (reactor, number) VALUES (?, ?)
     ON CONFLICT (reactor) DO UPDATE SET number = excluded.number`,
  );
  const forgetHandled = db.prepare("DELETE FROM commits WHERE number <= (SELECT min(number) FROM cursors)");
  const insertNews = db.prepare("INSERT INTO feed (at, type, session_id, seq, facts) VALUES (?, ?, ?, ?, ?)");
  const newsAfter = db.prepare("SELECT * FROM feed WHERE id > ? ORDER BY id LIMIT ?");
  const forgetNews = db.prepare("DELETE FROM feed WHERE id <= ?");
  const lastNews = db.prepare("SELECT seq AS id FROM sqlite_sequence WHERE name = 'feed'");
  const firstNews = db.prepare("SELECT min(id) AS id FROM feed");

  const lastId = () => Number(lastNews.get()?.["id"]);

  function announce(announcements: readonly Announcement[], at: string): StoredAnnouncement[] {
    const stored = announcements.map((announcement) => {
      const { type, sessionId, seq = null, facts } = announcement;
      const json = facts ? JSON.stringify(facts) : null;
      const { lastInsertRowid } = insertNews.run(at, type, sessionId, seq, json);
      return { ...announcement, id: Number(lastInsertRowid), at };
    });
    if (stored.some(({ id }) => id % announcementsAtOnce === 0)) forgetNews.run(lastId() - announcementsKept);
    return stored;
  }

  return {
    record: ({ stream, after, seq, removed }) => void insertCommit.run(stream, after, seq, removed ? 1 : 0),
    commits: (after, limit) => commitsAfter.all(after, limit).map(decodeCommit),
    cursor(reactor) {
      const known = cursorOf.get(reactor);
      const number = Number((known ?? lastCommit.get())?.["number"]);
      if (!known) putCursor.run(reactor, number);
      return number;
    },
    handled({ reactor, number, announcements }, at) {
      putCursor.run(reactor, number);
      forgetHandled.run();
      return announce(announcements, at);
    },
    announce,
    announcements: (after, limit) => newsAfter.all(after, limit).map(decodeNews),
    announced() {
      const last = lastId();
      const first = firstNews.get()?.["id"];
      return { last, forgotten: typeof first === "number" ? first - 1 : last };
    },
  };
}

const decodeCommit = (row: Record<string, unknown>): StoredCommit => ({
  number: row["number"] as number,
  stream: row["stream"] as string,
  after: row["after"] as number,
  seq: row["seq"] as number,
  removed: row["removed"] === 1,
});

function decodeNews(row: Record<string, unknown>): StoredAnnouncement {
  const { seq, facts } = row;
  return {
    id: row["id"] as number,
    at: row["at"] as string,
    type: row["type"] as string,
    sessionId: row["session_id"] as string,
    ...(seq === null ? {} : { seq: seq as number }),
    ...(facts === null ? {} : { facts: JSON.parse(facts as string) }),
  };
}
