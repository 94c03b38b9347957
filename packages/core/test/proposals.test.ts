import {
  draftOf,
  emptyState,
  evolve,
  type ProposalDraft,
  type ProposalFile,
  type ProposalText,
  proposalsOfRun,
  type SessionEvent,
  withoutRepeats,
} from "@drover/core";
import { describe, expect, it, test } from "vitest";

const file = (more: Partial<ProposalFile> = {}): ProposalFile => ({
  ...{ kind: "phase", name: "one.md", size: 1, body: "Text" },
  ...more,
});

const draft = (title: string, more: Partial<ProposalDraft> = {}): ProposalDraft => ({
  ...draftOf(file()),
  title,
  ...more,
});

describe("the title of a proposal", () => {
  test.each<[what: string, Partial<ProposalFile>, title: string]>([
    ["its front matter's", { front: { title: "A" }, body: "# B" }, "A"],
    ["in one line", { front: { title: " A\n  b\u0000 " } }, "A b"],
    ["its first heading", { front: { title: " " }, body: "x\n## B ##\n# C" }, "B"],
    ["its file's name", { name: "set-up.md" }, "set-up"],
    ["cut off", { front: { title: "x".repeat(600) } }, `${"x".repeat(499)}…`],
  ])("is %s", (_, more, title) => {
    expect(draftOf(file(more))).toMatchObject({ title, state: "open" });
  });

  it("is found quickly in a long line", () => {
    const body = `# ${" ".repeat(200_000)}x${" #".repeat(20_000)}`;
    expect(draftOf(file({ body })).title).toBe("one");
  });
});

describe("front matter", () => {
  test.each<[front: unknown, found: Partial<ProposalDraft>]>([
    [undefined, { state: "open", action: "create", meta: {} }],
    [null, { state: "open" }],
    [
      { action: "create", targetId: "phs_1", n: 1 },
      { state: "open", targetId: "phs_1", meta: { n: 1 } },
    ],
    [
      { action: "delete", targetId: "phs_1" },
      { state: "open", action: "delete" },
    ],
    [{ action: "delete" }, { state: "invalid", action: "create" }],
    [{ action: "update", targetId: 7 }, { state: "invalid" }],
    [{ action: "update", targetId: "" }, { state: "invalid" }],
    [{ action: ["create"] }, { state: "invalid" }],
    [{ title: new Date() }, { state: "invalid" }],
    ["title", { state: "invalid" }],
    [[], { state: "invalid" }],
  ])("%j is read as %j", (front, found) => {
    expect(draftOf(file({ front }))).toMatchObject(found);
  });

  it("that cannot be read leaves the text", () => {
    const found = draftOf(file({ problem: "It is bad.", body: "# B\u0000\nText" }));
    expect(found).toMatchObject({ state: "invalid", problem: "It is bad.", title: "B", body: "# B\nText" });
  });
});

describe("proposals of one run", () => {
  it("are one if they have the same kind and title: the last one", () => {
    const bad = draft("Set up", { state: "invalid", problem: "It is bad." });
    const task = draft("Set up", { kind: "task" });
    const states = withoutRepeats([draft("Set up"), draft(" SET UP "), task, bad, draft("set up")]);
    expect(states.map(({ state }) => state)).toEqual([
      ...["superseded", "superseded", "open", "invalid", "open"],
    ]);
  });

  const run = { sessionId: "ses_1", run: 2, now: "2026-01-01T00:00:00.000Z", newId: () => "prp_9" };
  const stored = (id: string, state: ProposalText["state"]): ProposalText => ({
    ...{ ...draft(id), id, state },
    ...{ sessionId: "ses_1", run: 1, createdAt: run.now },
  });

  it("replace open ones of earlier runs, and nothing else", () => {
    const earlier = [stored("a", "open"), stored("b", "superseded"), stored("c", "invalid")];
    const left = proposalsOfRun([draft("x"), draft("x"), draft("y", { state: "invalid" })], {
      ...run,
      earlier,
    });
    expect(left?.proposals.superseded).toEqual(["a"]);
    expect(left?.proposals.added[1]).toEqual({
      ...{ ...draft("x"), id: "prp_9", sessionId: "ses_1", run: 2, createdAt: run.now },
    });
    expect(left?.event).toEqual({ type: "proposals_created", run: 2, open: 1, superseded: 2, invalid: 1 });
    expect(proposalsOfRun([], { ...run, earlier })?.event).toMatchObject({ open: 0, superseded: 1 });
    expect(proposalsOfRun([], { ...run, earlier: earlier.slice(1) })).toBeUndefined();
  });

  it("are counted in the worker's state until the next run with proposals", () => {
    const at = { from: 1, at: run.now, sessionId: "ses_1" };
    const fold = (...events: SessionEvent[]) => events.reduce(evolve, emptyState).worker;
    const created: SessionEvent = {
      ...{ ...at, type: "proposals_created", seq: 1, run: 1, open: 2, superseded: 1, invalid: 3 },
    };
    expect(fold(created)).toEqual({ tries: 1, proposals: { open: 2, invalid: 3 } });
    const signal: SessionEvent = { ...at, type: "signal", seq: 2, run: 2, status: "done", tries: 1 };
    expect(fold(created, signal)?.proposals).toEqual({ open: 2, invalid: 3 });
  });
});
