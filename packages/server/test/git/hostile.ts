// Traps a repository may have set, in every place where Drover runs git. Split over files that run in parallel.
import { type ChangedFile, workspaceFailures } from "@drover/core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { deviceCases } from "./cases-devices.ts";
import { filterCases } from "./cases-filters.ts";
import { hidingCases } from "./cases-hiding.ts";
import { layoutCases } from "./cases-layout.ts";
import { programCases } from "./cases-programs.ts";
import { stagingCases } from "./cases-staging.ts";
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

type Choice = (cases: readonly Case[]) => readonly Case[];

/** Every `of`th case, starting with the `n`th; the parts together cover all cases. */
export const part =
  (n: number, of: number): Choice =>
  (cases) =>
    cases.filter((_, index) => index % of === n - 1);

/** `choose` selects the cases of each kind. */
export function hostileSuite(user: number, choose: Choice = (cases) => cases): void {
  let reader: Reader;
  beforeAll(() => {
    reader = new Reader(user);
  });
  afterAll(() => reader[Symbol.asyncDispose]());

  const isCaller = user === process.getuid?.();
  for (const [suite, all] of Object.entries(suites)) {
    const cases = choose(all);
    test.each(cases.map((each) => [each.title, each] as const))(`${suite}: %s`, async (_, trap) => {
      await using stage = await Stage.open();
      await trap.plant(stage);
      if (!trap.files && !trap.refused) await stage.write({ "tracked.txt": "other\n", "new.txt": "new\n" });
      await stage.giveTo(user);
      const before = stage.everything();
      const { cwd, home } = stage;
      const seen = await reader.read({ cwd, home, gitTimeoutMs: trap.gitTimeoutMs ?? 20_000 });
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
      const settled = stage.everythingKept();
      const kept = await reader.keep({ cwd, home, gitTimeoutMs: trap.gitTimeoutMs ?? 20_000 });
      expect(stage.hasSprung, "a checkpoint ran a planted program").toBe(false);
      expect(stage.everythingKept(), "a checkpoint wrote something else").toEqual(settled);
      const isProbe = expect.stringMatching(/(^|\/)probe\.txt$/);
      if (trap.isForged) expect(kept, "a checkpoint").toMatchObject({ problem: expect.any(String) });
      else if (!trap.refused) expect(kept, "a checkpoint").toEqual({ files: [isProbe] });
      const { worktree } = await reader.read({ cwd, home, gitTimeoutMs: 20_000, worktree: true });
      expect(stage.hasSprung, "creating a worktree ran a planted program").toBe(false);
      expect(outcomes, `a worktree: ${worktree}`).toContain(worktree);
      if (!trap.trigger || !isCaller) return;
      await stage.gitIn(stage.cwd, ...trap.trigger).catch(() => undefined);
      expect(stage.hasSprung, "the trap was never set").toBe(true);
    });
  }

  test("the suite has at least forty cases", () => {
    expect(Object.values(suites).flat().length).toBeGreaterThanOrEqual(40);
  });
}
