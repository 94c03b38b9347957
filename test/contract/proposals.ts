import type { ProposalText } from "@drover/core";
import { expect, test } from "vitest";
import type { SessionRow } from "../../packages/server/src/ports.ts";
import type { NewStore } from "./store.ts";
import { createSession, extendLog, stretch } from "./store-fixtures.ts";

let made = 0;

const makeProposal = ({ id }: SessionRow, more: Partial<ProposalText> = {}): ProposalText => ({
  ...{ id: `prp_${++made}`, sessionId: id, run: 1, kind: "phase", action: "create", title: "One" },
  ...{ meta: { dependsOn: ["x"] }, file: "phases/one.md", size: 4, state: "open", body: "Text" },
  createdAt: "2026-01-01T00:00:00.000Z",
  ...more,
});

const listed = ({ body: _, ...proposal }: ProposalText) => proposal;

export function proposalsContract(newStore: NewStore): void {
  test("proposals are stored with a commit, listed in order without their texts, and superseded", async () => {
    await using place = await newStore();
    const [row, other] = [await createSession(place.store), await createSession(place.store)];
    const foreign = makeProposal(other);
    await extendLog(place.store, other, {
      events: [stretch(1)],
      proposals: { added: [foreign], superseded: [] },
    });
    const first = makeProposal(row);
    const bad = makeProposal(row, { state: "invalid", problem: "It is bad.", body: "" });
    const at1 = await extendLog(place.store, row, {
      events: [stretch(1)],
      proposals: { added: [first, bad], superseded: [] },
    });
    const second = makeProposal(row, { run: 2, targetId: "phs_1", action: "update" });
    await extendLog(place.store, at1, {
      events: [stretch(2)],
      // Another session's proposals and invalid ones stay what they are.
      proposals: { added: [second], superseded: [first.id, bad.id, foreign.id] },
    });
    const store = await place.reopen();
    const replaced = { ...first, state: "superseded" as const };
    expect(await store.proposals(row.id)).toEqual([replaced, bad, second].map(listed));
    expect(await store.proposals(other.id)).toEqual([listed(foreign)]);
    expect(await store.proposal(first.id)).toEqual(replaced);
    expect(await store.proposals("ses_unknown")).toEqual([]);
    expect(await store.proposal("prp_unknown")).toBeUndefined();
  });

  test("proposals of a commit that is refused are not stored", async () => {
    await using place = await newStore();
    const row = await createSession(place.store);
    const proposals = { added: [makeProposal(row)], superseded: [] };
    const refused = extendLog(place.store, row, { events: [stretch(2)], proposals });
    await expect(refused).rejects.toMatchObject({ code: "CONFLICT" });
    expect(await place.store.proposals(row.id)).toEqual([]);
  });

  test("a proposal is removed on its own, or when its deleted session is pruned", async () => {
    await using place = await newStore();
    const row = await createSession(place.store);
    const [kept, removed] = [makeProposal(row), makeProposal(row)];
    await extendLog(place.store, row, {
      events: [stretch(1)],
      proposals: { added: [kept, removed], superseded: [] },
    });
    expect(await place.store.removeProposal(removed.id)).toBe(true);
    expect(await place.store.removeProposal(removed.id)).toBe(false);
    await place.store.remove(row.id, 1);
    expect(await place.store.proposals(row.id)).toEqual([listed(kept)]);
    await place.store.prune(row.id);
    expect(await place.store.proposals(row.id)).toEqual([]);
    expect(await place.store.proposal(kept.id)).toBeUndefined();
  });
}
