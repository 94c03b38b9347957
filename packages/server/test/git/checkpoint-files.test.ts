// Checkpoints of files that git itself would treat in a special way, or that there are very many of.
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { usually } from "../../../../test/kit/soak.ts";
import { openKeeper } from "./keeper.ts";

test("a file of Git LFS is kept and brought back byte for byte, and its filter never runs", async () => {
  await using opened = await openKeeper();
  const { stage, keeper } = opened;
  await stage.commit({ ".gitattributes": "*.bin filter=lfs diff=lfs merge=lfs -text\n" });
  const trap = await stage.trap();
  for (const kind of ["clean", "smudge", "process"]) await stage.set({ [`filter.lfs.${kind}`]: trap });
  await stage.set({ "filter.lfs.required": "true" });
  const [first, second] = [Buffer.from([0, 13, 10, 255]), Buffer.from([255, 10, 0])];
  await stage.write({ "image.bin": first });
  const before = await keeper.take();
  expect(before.skipped).toEqual([]);
  await stage.write({ "image.bin": second });
  const after = await keeper.take();
  expect(await keeper.back(before)).toMatchObject({ ok: true, value: { files: ["image.bin"] } });
  expect(await readFile(stage.path("image.bin"))).toEqual(first);
  expect(await keeper.back(after)).toMatchObject({ ok: true });
  expect(await readFile(stage.path("image.bin"))).toEqual(second);
  expect(stage.hasSprung).toBe(false);
  // A person's own git does run it.
  await stage.git("add", "image.bin").catch(() => undefined);
  expect(stage.hasSprung).toBe(true);
});

/** As long as a turn waits for a checkpoint unless it is told otherwise. */
const LIMIT_MS = 5_000;

test("a checkpoint among very many ignored files keeps none of them and stays within its time", {
  timeout: usually(60_000, { inSoak: 600_000 }),
}, async () => {
  await using opened = await openKeeper();
  const { stage, keeper } = opened;
  await stage.commit({ ".gitignore": "cache/\n*.tmp\n" });
  for (const directory of ["cache", "loose"]) {
    await mkdir(stage.path(directory));
    for (let number = 0; number < usually(1_500, { inSoak: 500_000 }); number += 500) {
      const names = Array.from({ length: 500 }, (_, at) => `${number + at}.tmp`);
      await Promise.all(names.map((name) => writeFile(join(stage.path(directory), name), "")));
    }
  }
  await stage.write({ "loose/new.txt": "new\n" });
  const taken = await keeper.take({ signal: AbortSignal.timeout(LIMIT_MS) });
  expect(taken.skipped).toEqual([]);
  expect(await keeper.files(taken)).toEqual([
    ".gitignore",
    "folder/inner.txt",
    "loose/new.txt",
    "tracked.txt",
  ]);
});
