import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { tempDir } from "../../../../test/kit/temp.ts";
import { until } from "../../../../test/kit/until.ts";
import { comparison } from "../../src/workspace/comparison.ts";
import { repository, withFakeGit } from "../context/support.ts";
import { deps, placeAt } from "./support.ts";

test("concurrent requests share a few git processes, and all get answers", async () => {
  await using directory = await repository();
  await using tools = await tempDir();
  const [running, gate, counts] = ["running", "gate", "counts"].map((name) => join(tools.path, name));
  await mkdir(running ?? "");
  const environment = await withFakeGit(
    tools.path,
    `touch "${running}/$$"`,
    `while [ ! -e "${gate}" ]; do sleep 0.02; done`,
    `ls "${running}" | wc -l >> "${counts}"`,
    '"$GIT" "$@"; code=$?',
    `rm "${running}/$$"; exit $code`,
  );
  const workspace = comparison({ ...deps, environment });
  const answers = Array.from({ length: 12 }, () => workspace.changes(placeAt(directory.path)));
  // Four requests at a time, with two processes each.
  await until(async () => (await readdir(running ?? "")).length >= 8);
  await writeFile(gate ?? "", "");
  expect(await Promise.all(answers)).toEqual(
    Array.from({ length: 12 }, () => expect.objectContaining({ ok: true })),
  );
  const most = Math.max(...(await readFile(counts ?? "", "utf8")).trim().split("\n").map(Number));
  expect(most).toBeLessThanOrEqual(8);
});
