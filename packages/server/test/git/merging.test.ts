// Merging for real: what moves, what follows, and what is refused without changing anything.
import { randomBytes } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import type { Rejection } from "@drover/core";
import { describe, expect, test } from "vitest";
import { MergeStage } from "./merge-stage.ts";

const strategies = ["merge", "squash"] as const;
type Strategy = (typeof strategies)[number];

/** A session with a commit and an uncommitted file, while `main` has another commit. */
async function open(): Promise<MergeStage> {
  const at = await MergeStage.open();
  await at.commit({ "committed.txt": "one\n", ".gitignore": "*.log\n" }, "First");
  await at.write({ "uncommitted.txt": "two\n" });
  await at.commitMain({ "theirs.txt": "theirs\n" });
  return at;
}

/** The merge must be refused with this code. Nothing may have changed but objects: no ref, index, HEAD, log or file. */
async function refused(at: MergeStage, strategy: Strategy): Promise<Rejection> {
  const everything = async () => [await at.stage.git("for-each-ref"), ...at.stage.everythingKept()];
  const before = await everything();
  const merged = await at.merge({ strategy });
  expect(await everything()).toEqual(before);
  expect(await at.stage.git("fsck", "--no-dangling")).toBe("");
  if (merged.ok) throw new Error("It was merged");
  return merged.error;
}

interface Row {
  readonly target: string;
  readonly prepare: (at: MergeStage) => Promise<unknown>;
  /** What a refusal says; otherwise it is merged. */
  readonly refusal?: (at: MergeStage) => Partial<Rejection>;
  /** The lines of `git status` in the checkout afterwards. */
  readonly status?: readonly string[];
  /** What happens right before the branches move for the first time. */
  readonly meanwhile?: (at: MergeStage) => Promise<unknown>;
}

const detached = (at: MergeStage) => at.stage.git("checkout", "-q", "--detach", "main~1");
const inTheWay = (...files: string[]) => ({ code: "CHECKOUT_IN_THE_WAY" as const, facts: { files } });

const table: readonly Row[] = [
  { target: "not checked out", prepare: detached, status: ["## HEAD (no branch)"] },
  { target: "checked out and clean", prepare: async () => undefined, status: ["## main"] },
  {
    target: "checked out with other changes, staged or not",
    prepare: async (at) => {
      await at.writeMain({ "tracked.txt": "edited\n", "mine.txt": "new\n", "folder/inner.txt": "staged\n" });
      await at.stage.git("add", "folder/inner.txt");
      await at.writeMain({ "folder/inner.txt": "more\n" });
    },
    status: ["## main", " M tracked.txt", "?? mine.txt", "MM folder/inner.txt"],
  },
  {
    target: "checked out with other changes in a stash",
    prepare: async (at) => {
      await at.writeMain({ "tracked.txt": "edited\n" });
      await at.stage.git("stash");
    },
    status: ["## main"],
  },
  {
    target: "checked out with a changed file in the way",
    prepare: async (at) => {
      await at.write({ "tracked.txt": "mine\n" });
      await at.writeMain({ "tracked.txt": "edited\n" });
    },
    refusal: () => inTheWay("tracked.txt"),
  },
  {
    target: "checked out with a staged file in the way",
    prepare: async (at) => {
      await at.writeMain({ "uncommitted.txt": "staged\n" });
      await at.stage.git("add", "uncommitted.txt");
    },
    refusal: () => inTheWay("uncommitted.txt"),
  },
  {
    target: "checked out with an untracked file in the way",
    prepare: (at) => at.writeMain({ "uncommitted.txt": "untracked\n" }),
    refusal: () => inTheWay("uncommitted.txt"),
  },
  {
    target: "checked out with an ignored file in the way",
    prepare: async (at) => {
      await mkdir(at.stage.path(".git/info"), { recursive: true });
      await writeFile(at.stage.path(".git/info/exclude"), "committed.txt\n");
      await at.writeMain({ "committed.txt": "ignored\n" });
    },
    refusal: () => inTheWay("committed.txt"),
  },
  {
    target: "checked out while another git holds its index",
    prepare: (at) => writeFile(at.stage.path(".git/index.lock"), ""),
    refusal: () => ({ code: "MERGE_REFUSED", facts: { reason: "locked" } }),
  },
  {
    target: "moved meanwhile",
    prepare: async () => undefined,
    meanwhile: (at) => at.commitMain({ "later.txt": "later\n" }),
    status: ["## main"],
  },
  {
    target: "deleted",
    prepare: async (at) => {
      await detached(at);
      await at.stage.git("branch", "-q", "-D", "main");
    },
    refusal: () => ({ code: "NOT_FOUND", facts: { what: "branch" } }),
  },
];

const cases = table.flatMap((row) => strategies.map((strategy) => ({ ...row, strategy })));

test.each(cases)("V2 $strategy into a branch that is $target", async ({ strategy, ...row }) => {
  await using at = await open();
  await row.prepare(at);
  if (row.refusal) {
    expect(await refused(at, strategy)).toMatchObject(row.refusal(at));
    return;
  }
  const stash = () => at.stage.git("stash", "list");
  const stashed = await stash();
  let tips = 0;
  const merged = await at.merge({ strategy }, async () => {
    tips += 1;
    if (tips === 1) await row.meanwhile?.(at);
  });
  if (!merged.ok) throw new Error(merged.error.message);
  expect(tips).toBe(row.meanwhile ? 2 : 1);
  const { commit } = merged.value;
  expect(await at.stage.git("rev-parse", "main", "drover/fox")).toBe(`${commit}\n${commit}`);
  const parents = (await at.stage.git("rev-parse", `${commit}^@`)).split("\n");
  expect(parents).toHaveLength(strategy === "squash" ? 1 : 2);
  expect(await at.stage.git("log", "-1", "--format=%s", parents[0] ?? "")).toBe("theirs");
  expect(await at.stage.git("log", "-1", "--format=%B%an", commit)).toBe("Merge fox\nA Person");
  const names = ["committed.txt", "theirs.txt", "tracked.txt", "uncommitted.txt"];
  const later = row.meanwhile ? ["later.txt"] : [];
  expect((await at.stage.git("ls-tree", "--name-only", commit)).split("\n").toSorted()).toEqual(
    [...names, ...later, ".gitignore", "folder"].toSorted(),
  );
  const { main, tree } = await at.status();
  expect(main.split("\n").toSorted()).toEqual(row.status?.toSorted());
  expect(tree).toBe("## drover/fox");
  expect(await at.read("theirs.txt", at.tree)).toBe("theirs\n");
  if (main.startsWith("## main")) {
    expect(await at.read("uncommitted.txt")).toBe("two\n");
    expect(await at.stage.git("reflog", "-1", "--format=%gs", "main")).toContain("merge drover/fox");
  }
  expect(await stash()).toBe(stashed);
  expect(await at.stage.git("fsck", "--no-dangling")).toBe("");
});

test("V2 a target that moves all the time is refused in the end", async () => {
  await using at = await open();
  let moves = 0;
  const merged = await at.merge({}, async () => {
    moves += 1;
    await at.commitMain({ "later.txt": `${moves}\n` });
  });
  expect(merged).toMatchObject({ ok: false, error: { code: "MERGE_REFUSED", facts: { reason: "moved" } } });
  expect((await at.status()).main).toBe("## main");
});

test("V3 W11 a conflict is refused with its files", async () => {
  await using at = await open();
  await at.write({ "theirs.txt": "mine\n" });
  const { code, facts, message } = await refused(at, "merge");
  expect([code, facts]).toEqual(["MERGE_CONFLICT", { files: ["theirs.txt"] }]);
  expect(message).toContain("theirs.txt conflicts with main");
  await at.commitMain({ "committed.txt": "theirs\n" });
  expect((await refused(at, "merge")).message).toContain("committed.txt, theirs.txt conflict with main");
});

test("V8 work that goes on after a squash merges again without conflict", async () => {
  await using at = await open();
  await at.merged({ strategy: "squash" });
  await at.write({ "committed.txt": "one\nmore\n" });
  await at.commitMain({ "theirs.txt": "more\n" });
  await at.merged({ strategy: "squash" });
  expect(await at.read("committed.txt")).toBe("one\nmore\n");
  expect(await at.read("theirs.txt", at.tree)).toBe("more\n");
  expect(await at.merge()).toMatchObject({ ok: false, error: { code: "NOTHING_TO_MERGE" } });
});

test("the commits that a squash leaves out stay under a ref", async () => {
  await using at = await open();
  await at.merged({ strategy: "squash" });
  const kept = await at.stage.git("for-each-ref", "--format=%(refname)", "refs/drover/ses_1/merged");
  expect(await at.stage.git("log", "--format=%s", kept)).toMatch(/^Work of fox\nFirst\n/);
});

describe("is refused, and changes nothing,", () => {
  test("while git is in the middle of a merge or a rebase of the target", async () => {
    await using at = await open();
    await at.stage.git("checkout", "-q", "-b", "topic", "main~1");
    await at.commitMain({ "theirs.txt": "other\n" });
    await at.stage.git("checkout", "-q", "main");
    await at.stage.git("merge", "topic").catch(() => undefined);
    expect(await refused(at, "merge")).toMatchObject({ code: "MERGE_REFUSED", facts: { reason: "busy" } });
    await at.stage.git("merge", "--abort");
    await at.stage.git("rebase", "topic").catch(() => undefined);
    expect(await refused(at, "merge")).toMatchObject({ code: "MERGE_REFUSED", facts: { reason: "busy" } });
  });

  test("while there is no room for its files, and names what git said", async () => {
    await using at = await open();
    await at.write({ "large.bin": randomBytes(100_000) });
    await at.meddle("ulimit -f 20");
    expect((await refused(at, "merge")).message).toContain("(git was ended by a signal)");
    await at.write({ "large.bin": "small" });
    await at.meddle('case "$*" in *merge-tree*) echo "fatal: No space left on device" >&2; exit 128;; esac');
    expect((await refused(at, "merge")).message).toContain("(fatal: No space left on device)");
  });

  test("without a git identity", async () => {
    await using at = await open();
    await at.stage.git("config", "user.email", "");
    expect((await refused(at, "squash")).code).toBe("NO_IDENTITY");
  });

  test("into a name that stands for another branch", async () => {
    await using at = await open();
    await at.stage.git("symbolic-ref", "refs/heads/alias", "refs/heads/main");
    expect(await at.merge({ into: "alias" })).toMatchObject({ error: { facts: { reason: "symbolic" } } });
    expect(await at.stage.git("symbolic-ref", "refs/heads/alias")).toBe("refs/heads/main");
  });

  test("for files that a filter would have to write", async () => {
    await using at = await open();
    await at.commitMain({ ".gitattributes": "*.bin filter=lfs\n" });
    await at.write({ "image.bin": "bytes\n" });
    const { code, facts } = await refused(at, "merge");
    expect([code, facts?.["reason"]]).toEqual(["MERGE_REFUSED", "filter"]);
  });

  test("over an ignored file in the worktree itself", async () => {
    await using at = await open();
    await at.write({ "build.log": "mine\n" });
    await at.commitMain({ "build.log": "theirs\n" });
    const { code, facts } = await refused(at, "merge");
    expect([code, facts]).toEqual(["CHECKOUT_IN_THE_WAY", { files: ["build.log"], path: at.tree }]);
  });
});
