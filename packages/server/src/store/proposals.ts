import type { DatabaseSync } from "node:sqlite";
import type { NewProposals, Proposal, ProposalText } from "@drover/core";

/** Proposals by the key of their session. Writes run inside the writer's transactions. */
export interface ProposalTable {
  of(session: number): Proposal[];
  find(id: string): ProposalText | undefined;
  put(session: number, proposals: NewProposals): void;
  remove(id: string): boolean;
}

export function prepareProposals(db: DatabaseSync): ProposalTable {
  const of = db.prepare("SELECT state, data FROM proposals WHERE session = ? ORDER BY number");
  const find = db.prepare("SELECT state, data, body FROM proposals WHERE id = ?");
  const insert = db.prepare("INSERT INTO proposals (id, session, state, data, body) VALUES (?, ?, ?, ?, ?)");
  const supersede = db.prepare(
    "UPDATE proposals SET state = 'superseded' WHERE id = ? AND session = ? AND state = 'open'",
  );
  const remove = db.prepare("DELETE FROM proposals WHERE id = ?");

  const decoded = (row: Record<string, unknown>): Proposal => ({
    ...JSON.parse(row["data"] as string),
    state: row["state"],
  });

  return {
    of: (session) => of.all(session).map(decoded),
    find(id) {
      const row = find.get(id);
      return row && { ...decoded(row), body: row["body"] as string };
    },
    put(session, { added, superseded }) {
      for (const id of superseded) supersede.run(id, session);
      for (const { body, state, ...data } of added)
        insert.run(data.id, session, state, JSON.stringify(data), body);
    },
    remove: (id) => Number(remove.run(id).changes) > 0,
  };
}
