// Merging for real: what moves, what follows, and what is refused without changing anything.
import { mkdir, writeFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { MergeStage } from "./merge-stage.ts";

const strategies = ["merge", "squash"] as const;

/** A session with a commit and an uncommitted file, while `main` has another commit. */
async function open(): Promise<MergeStage> {
  const at = await MergeStage.open();
  await at.commit({ "committed.txt": "one\n", ".gitignore": "*.log\n" }, "First");
  await at.write({ "uncommitted.txt": "two\n" });
  await at.commitMain({ "theirs.txt": "theirs\n" });
  return at;
}

/** The merge must be refused with this code, and nothing may have changed. */
async function refused(at: MergeStage, strategy: (typeof strategies)[number]) {
  const refs = () => at.stage.git("for-each-ref");
  const before = [await refs(), await at.status(), await at.stage.git("ls-files", "--stage")];
  const merged = await at.merge({ strategy });
  expect([await refs(), await at.status(), await at.stage.git("ls-files", "--stage")]).toEqual(before);
  expect(await at.stage.git("fsck", "--no-dangling")).toBe("");
  if (merged.ok) throw new Error("It was merged");
  return merged.error;
}

describe.each(strategies)("V2 %s into a branch that is", (strategy) => {
  test("not checked out moves it, and brings the worktree what was new there", async () => {
    await using at = await open();
    await at.stage.git("checkout", "-q", "--detach", "main~1");
    const before = await at.stage.git("rev-parse", "main");
    const commit = await at.merged({ strategy });
    expect(await at.stage.git("rev-parse", "main", "drover/fox")).toBe(`${commit}\n${commit}`);
    const parents = (await at.stage.git("rev-parse", `${commit}^@`)).split("\n");
    expect(parents).toHaveLength(strategy === "squash" ? 1 : 2);
    expect(parents[0]).toBe(before);
    expect(await at.stage.git("log", "-1", "--format=%B%an", commit)).toContain("Merge fox");
    expect(await at.read("theirs.txt", at.tree)).toBe("theirs\n");
    expect((await at.status()).tree).toBe("## drover/fox");
    expect((await at.status()).main).not.toContain("uncommitted.txt");
  });

  test("checked out and clean lets that checkout follow", async () => {
    await using at = await open();
    const commit = await at.merged({ strategy });
    expect(await at.status()).toEqual({ main: "## main", tree: "## drover/fox" });
    expect(await at.read("uncommitted.txt")).toBe("two\n");
    expect(await at.stage.git("rev-parse", "HEAD")).toBe(commit);
    expect(await at.stage.git("reflog", "-1", "--format=%gs", "main")).toContain("merge drover/fox");
    expect(await at.stage.git("fsck", "--no-dangling")).toBe("");
  });

  test("checked out with other changes leaves these as they are, staged or not", async () => {
    await using at = await open();
    await at.writeMain({
      "tracked.txt": "edited\n",
      "mine.txt": "untracked\n",
      "folder/inner.txt": "staged\n",
    });
    await at.stage.git("add", "folder/inner.txt");
    await at.merged({ strategy });
    expect((await at.status()).main.split("\n").toSorted()).toEqual(
      ["## main", " M tracked.txt", "?? mine.txt", "M  folder/inner.txt"].toSorted(),
    );
    expect(await at.read("tracked.txt")).toBe("edited\n");
    expect(await at.read("committed.txt")).toBe("one\n");
  });

  test("checked out with a changed file in the way is refused", async () => {
    await using at = await open();
    await at.write({ "tracked.txt": "mine\n" });
    await at.writeMain({ "tracked.txt": "edited\n" });
    const { code, facts } = await refused(at, strategy);
    expect([code, facts]).toEqual(["CHECKOUT_IN_THE_WAY", { files: ["tracked.txt"], path: at.stage.top }]);
  });

  test("checked out with an untracked or ignored file in the way is refused", async () => {
    await using at = await open();
    await mkdir(at.stage.path(".git/info"), { recursive: true });
    await writeFile(at.stage.path(".git/info/exclude"), "committed.txt\n");
    await at.writeMain({ "committed.txt": "ignored\n", "uncommitted.txt": "untracked\n" });
    const { code, facts } = await refused(at, strategy);
    expect(code).toBe("CHECKOUT_IN_THE_WAY");
    expect(facts).toMatchObject({ files: ["committed.txt", "uncommitted.txt"] });
    expect(await at.read("committed.txt")).toBe("ignored\n");
  });

  test("deleted, or never there, is refused", async () => {
    await using at = await open();
    await at.stage.git("checkout", "-q", "--detach");
    await at.stage.git("branch", "-q", "-D", "main");
    expect((await refused(at, strategy)).code).toBe("NOT_FOUND");
  });

  test("moved meanwhile is merged on its new tip", async () => {
    await using at = await open();
    await at.stage.git("checkout", "-q", "--detach");
    let moves = 0;
    const merged = await at.merge({ strategy }, async () => {
      if (moves++ > 0) return;
      await at.stage.git("checkout", "-q", "main");
      await at.commitMain({ "later.txt": "later\n" });
    });
    expect(merged.ok).toBe(true);
    expect(moves).toBe(2);
    expect(await at.stage.git("ls-tree", "--name-only", "main")).toMatch(/committed.txt\n.*later.txt/s);
    expect(await at.status()).toEqual({ main: "## main", tree: "## drover/fox" });
  });

  test("moving all the time is refused in the end", async () => {
    await using at = await open();
    let moves = 0;
    const merged = await at.merge({ strategy }, async () => {
      moves += 1;
      await at.commitMain({ "later.txt": `${moves}\n` });
    });
    expect(merged).toMatchObject({ ok: false, error: { code: "MERGE_REFUSED", facts: { reason: "moved" } } });
    expect((await at.status()).main).toBe("## main");
  });
});

test("V3 W11 a conflict is refused with its files", async () => {
  await using at = await open();
  await at.write({ "theirs.txt": "mine\n" });
  const { code, facts } = await refused(at, "merge");
  expect([code, facts]).toEqual(["MERGE_CONFLICT", { files: ["theirs.txt"] }]);
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

describe("after a crash", () => {
  test.each(["nothing", "the branches", "some files", "all files"])(
    "a merge that moved %s is settled",
    async (what) => {
      await using at = await open();
      await at.write({ "tracked.txt": "mine\n" });
      const died = new Error("killed");
      let planned: Parameters<typeof at.settle>[0] | undefined;
      await at
        .merge({}, async (about) => {
          planned = about;
          throw died;
        })
        .catch((error: unknown) => expect(error).toBe(died));
      if (!planned) throw new Error("Nothing was planned");
      const { commit } = planned;
      if (what !== "nothing") {
        await at.stage.git("update-ref", "refs/heads/main", commit);
        await at.stage.git("update-ref", "refs/heads/drover/fox", commit);
      }
      if (what === "some files" || what === "all files") await at.writeMain({ "tracked.txt": "mine\n" });
      if (what === "all files")
        await at.writeMain({ "committed.txt": "one\n", "uncommitted.txt": "two\n", ".gitignore": "*.log\n" });
      const isMerged = what !== "nothing";
      expect(await at.settle(planned)).toEqual({ ok: true, value: isMerged });
      expect(await at.settle(planned)).toEqual({ ok: true, value: isMerged });
      if (isMerged) expect(await at.status()).toEqual({ main: "## main", tree: "## drover/fox" });
      else expect((await at.status()).main).toBe("## main");
      expect(await at.stage.git("fsck", "--no-dangling")).toBe("");
    },
  );

  test("a file that a person has edited since is left alone", async () => {
    await using at = await open();
    await at.write({ "tracked.txt": "mine\n" });
    let planned: Parameters<typeof at.settle>[0] | undefined;
    await at
      .merge({}, async (about) => {
        planned = about;
        throw new Error("killed");
      })
      .catch(() => undefined);
    if (!planned) throw new Error("Nothing was planned");
    await at.stage.git("update-ref", "refs/heads/main", planned.commit);
    await at.stage.git("update-ref", "refs/heads/drover/fox", planned.commit);
    await at.writeMain({ "tracked.txt": "edited\n" });
    expect(await at.settle(planned)).toEqual({ ok: true, value: true });
    expect((await at.status()).main).toBe("## main\n M tracked.txt");
    expect(await at.read("tracked.txt")).toBe("edited\n");
  });
});
