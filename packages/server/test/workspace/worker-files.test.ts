// What Drover writes for a worker, whatever an earlier run did to the place.
import { lstat, mkdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Fault } from "@drover/core";
import { expect, test } from "vitest";
import { tempDir } from "../../../../test/kit/temp.ts";
import { prepareWorkerFiles, readWorkerSummary } from "../../src/workspace/worker-files.ts";

const input = (archive: string, more: object = {}) => ({
  ...{ manifest: '{"run":1}\n', archive, keepsOutput: false },
  files: [{ path: "pages/one.md", kind: "page", content: "One\n" }],
  ...more,
});

const modeOf = async (path: string) => ((await lstat(path)).mode & 0o777).toString(8);

test("input is read-only, complete and written anew before every run", async () => {
  await using place = await tempDir();
  const cwd = place.path;
  const archive = join(cwd, "archive/1");
  await prepareWorkerFiles(cwd, input(archive));
  expect(await readFile(join(cwd, ".drover/input/manifest.json"), "utf8")).toBe('{"run":1}\n');
  expect(await modeOf(join(cwd, ".drover/input/manifest.json"))).toBe("444");
  expect(await modeOf(join(cwd, ".drover/input"))).toBe("555");
  expect(await modeOf(join(cwd, ".drover/input/pages"))).toBe("555");
  await prepareWorkerFiles(cwd, input(archive, { manifest: "{}\n", files: [] }));
  expect(await readFile(join(cwd, ".drover/input/manifest.json"), "utf8")).toBe("{}\n");
  await expect(lstat(join(cwd, ".drover/input/pages"))).rejects.toThrow("ENOENT");
});

test("earlier output is moved away; a reminder only moves the signal", async () => {
  await using place = await tempDir();
  const cwd = place.path;
  const out = join(cwd, ".drover/output");
  await mkdir(out, { recursive: true });
  await writeFile(join(out, "signal.json"), "{}");
  await writeFile(join(out, "SUMMARY.md"), " Fine. \n");
  expect(await readWorkerSummary(cwd)).toBe("Fine.");
  await prepareWorkerFiles(cwd, input(join(cwd, "archive/2"), { keepsOutput: true }));
  expect(await readFile(join(cwd, "archive/2"), "utf8")).toBe("{}");
  expect(await readWorkerSummary(cwd)).toBe("Fine.");
  await prepareWorkerFiles(cwd, input(join(cwd, "archive/3")));
  expect(await readFile(join(cwd, "archive/3/SUMMARY.md"), "utf8")).toBe(" Fine. \n");
  expect(await readWorkerSummary(cwd)).toBeUndefined();
});

test("links that a run planted are replaced, and nothing behind them is touched", async () => {
  await using place = await tempDir();
  const [cwd, outside] = [join(place.path, "cwd"), join(place.path, "outside")];
  await mkdir(join(outside, "input"), { recursive: true });
  await mkdir(join(outside, "output"));
  await writeFile(join(outside, "input/mine"), "mine");
  await writeFile(join(outside, "output/mine"), "mine");
  await writeFile(join(outside, "output/signal.json"), "mine");
  await mkdir(cwd);
  await symlink(outside, join(cwd, ".drover"));
  await prepareWorkerFiles(cwd, input(join(place.path, "archive")));
  await rm(join(cwd, ".drover/output"), { recursive: true });
  await rm(join(cwd, ".drover/input"), { recursive: true });
  await symlink(join(outside, "output"), join(cwd, ".drover/output"));
  await symlink(join(outside, "input"), join(cwd, ".drover/input"));
  await symlink(join(outside, "input/mine"), join(outside, "output/SUMMARY.md"));
  await prepareWorkerFiles(cwd, input(join(place.path, "archive")));
  await rm(join(cwd, ".drover/output"), { recursive: true });
  await symlink(join(outside, "output"), join(cwd, ".drover/output"));
  await prepareWorkerFiles(cwd, input(join(place.path, "archive"), { keepsOutput: true }));
  for (const name of ["input/mine", "output/mine", "output/signal.json"])
    expect(await readFile(join(outside, name), "utf8")).toBe("mine");
  await expect(lstat(join(outside, "input/manifest.json"))).rejects.toThrow("ENOENT");
  expect((await lstat(join(cwd, ".drover/output"))).isDirectory()).toBe(true);
});

test("a place that cannot be written to is a fault with the reason", async () => {
  await using place = await tempDir();
  const prepared = prepareWorkerFiles(join(place.path, "gone"), input(join(place.path, "archive")));
  await expect(prepared).rejects.toThrow(Fault);
  await expect(prepared).rejects.toThrow("could not write the worker's input files: ENOENT");
});
