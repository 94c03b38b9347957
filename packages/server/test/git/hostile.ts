// Traps a repository may have set, in every place where Drover runs git.
import { type ChangedFile, workspaceFailures } from "@drover/core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { every, isSoak, usually } from "../../../../test/kit/soak.ts";
import { deviceCases } from "./cases-devices.ts";
import { filterCases } from "./cases-filters.ts";
import { hidingCases } from "./cases-hiding.ts";
import { layoutCases } from "./cases-layout.ts";
import { programCases } from "./cases-programs.ts";
import { stagingCases } from "./cases-staging.ts";
import type { Request } from "./reader.ts";
import { type Case, Reader, Stage } from "./stage.ts";

const USUAL = {
  files: ["untracked new.txt +1 -0", "modified tracked.txt +1 -1"],
  shows: ["-first", "+other", "+new"],
};

/** How creating a worktree in a hostile repository may end: it is made, or refused for a reason. */
const outcomes = ["made", ...workspaceFailures];

const asLine = ({ status, path, added, removed, staged }: ChangedFile) =>
  `${status} ${path} +${added} -${removed}${staged ? " staged" : ""}`;

const suites: Record<string, readonly Case[]> = {
  "H1 H2 H3 filters": filterCases,
  "H1 H2 H3 programs": programCases,
  "H1 H2 H3 layouts": layoutCases,
  "H1 H2 H3 devices": deviceCases,
  "H2 H3 changes": hidingCases,
  "H2 H3 names and stages": stagingCases,
};

export type Choice = (cases: readonly Case[]) => readonly Case[];

/**
 * In `npm test` two users share the cases. Only root can show that a trap is set, so it reads all that something
 * springs, and half of the others; the ordinary user reads the other half, and one case of each kind.
 */
export const forRoot: Choice = (cases) => cases.filter(({ trigger }, at) => trigger || at % 2 === 0);
export const forUser: Choice = (cases) =>
  cases.filter(({ trigger }, at) => at === 0 || (!trigger && at % 2 === 1));

/** `choose` selects among the cases of each kind; a soak has them all, and all variants. */
export function hostileSuite(user: number, choose: Choice = (cases) => cases): void {
  let reader: Reader;
  beforeAll(() => {
    reader = new Reader(user);
  });
  afterAll(() => reader[Symbol.asyncDispose]());

  const isCaller = user === process.getuid?.();
  for (const [suite, all] of Object.entries(suites)) {
    const cases = usually(choose(all.filter(({ isVariant }) => !isVariant)), { inSoak: all });
    // Without traps that run something, discarding and committing have tests of their own.
    const changing = new Set(suite.startsWith("H1") ? usually(every(4, cases), { inSoak: cases }) : []);
    const titled = cases.map((each) => [each.title, each] as const);
    test.each(titled)(`${suite}: %s`, { timeout: usually(60_000, { inSoak: 300_000 }) }, async (_, trap) => {
      await using stage = await Stage.open();
      await trap.plant(stage);
      if (!trap.files && !trap.refused) await stage.write({ "tracked.txt": "other\n", "new.txt": "new\n" });
      await stage.giveTo(user);
      const before = stage.everything();
      const request = { cwd: stage.cwd, home: stage.home, gitTimeoutMs: trap.gitTimeoutMs ?? 20_000 };
      const seen = await reader.ask("read", request);
      expect(stage.hasSprung, "a planted program ran").toBe(false);
      expect(stage.everything(), "something was written").toEqual(before);
      if (trap.refused) {
        expect([seen.files, seen.diff]).toEqual([trap.refused, trap.refused]);
      } else {
        const { files, shows } = { ...USUAL, ...trap };
        expect(typeof seen.files === "string" ? seen.files : seen.files.map(asLine)).toEqual(files);
        for (const line of shows) expect(seen.diff.split("\n")).toContain(line);
        for (const [path, diff] of Object.entries(seen.byPath))
          expect(diff, path).toMatch(/^(diff --git |Staged for the next commit)/);
      }
      const context = trap.context ?? (trap.refused ? "Is git repo: false" : "Working tree: dirty");
      expect(seen.context).toContain(context);
      // What Drover refuses to read, it also refuses to write, which takes no time.
      if (isSoak || trap.isWritten || trap.isForged || trap.refused) await write(trap, stage, request);
      if (changing.has(trap) && !trap.refused && !trap.isForged) await change(stage, request);
      if (!trap.trigger || !isCaller) return;
      // What was committed meanwhile has the time that the index has.
      await stage.touch().catch(() => undefined);
      await stage.gitIn(stage.cwd, ...trap.trigger).catch(() => undefined);
      expect(stage.hasSprung, "the trap was never set").toBe(true);
    });
  }

  /** Where Drover writes: a checkpoint that is reverted, and a worktree that is used and deleted. */
  async function write(trap: Case, stage: Stage, request: Request): Promise<void> {
    const settled = stage.everythingKept();
    const kept = await reader.ask("keep", request);
    expect(stage.hasSprung, "a checkpoint ran a planted program").toBe(false);
    expect(stage.everythingKept(), "a checkpoint wrote something else").toEqual(settled);
    const isProbe = expect.stringMatching(/(^|\/)probe\.txt$/);
    if (trap.isForged) expect(kept, "a checkpoint").toMatchObject({ problem: expect.any(String) });
    else if (!trap.refused)
      expect({ ...kept, skipped: [] }, "a checkpoint").toEqual({ files: [isProbe], skipped: [] });
    else if (!trap.gitTimeoutMs) expect(kept.problem ?? "", "a checkpoint").not.toContain("took longer");
    const worktree = await reader.ask("worktree", request);
    expect(stage.hasSprung, "creating a worktree ran a planted program").toBe(false);
    expect(outcomes, `a worktree: ${worktree}`).toContain(worktree);
    if (!trap.gitTimeoutMs) expect(worktree).not.toBe("timeout");
  }

  /** Where a person asks for it: changes are discarded, committed, reviewed and merged. */
  async function change(stage: Stage, request: Request): Promise<void> {
    const [discarded, committed] = await reader.ask("change", request);
    expect(stage.hasSprung, "discarding or committing ran a planted program").toBe(false);
    expect(discarded).toBe("done");
    expect(["done", "COMMIT_REFUSED"], `a commit: ${committed}`).toContain(committed);
    const steps = await reader.ask("merge", request);
    expect(stage.hasSprung, "reviewing or merging ran a planted program").toBe(false);
    // Where Drover refuses to commit, there is less to merge.
    if (steps.before === "done") expect(new Set(Object.values(steps))).toEqual(new Set(["done"]));
  }

  test("at least forty repositories are read", () => {
    const cases = Object.values(suites).flat();
    expect(cases.filter(({ isVariant }) => !isVariant).length).toBeGreaterThanOrEqual(40);
  });
}
