// `npm test [-- path …]`: prepares what the tests need, runs them, and ends with `N passed, N failed`.
// Downloads nothing from npm. Arguments go to vitest. `SLOWEST=40 npm test` lists the 40 slowest files instead of ten.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, realpath, rm, statfs } from "node:fs/promises";
import { freemem, tmpdir } from "node:os";
import { join, relative } from "node:path";
import { describeFailure } from "../test/kit/failure.ts";
import { type Cost, costs } from "../test/kit/global-setup.ts";
import { killAllOf } from "../test/kit/processes.ts";
import { buildTestedPackage } from "./build-package.ts";
import { preparePrograms } from "./prepare-programs.ts";
import { root } from "./root.ts";

/** The part of vitest's JSON report that is read here. */
interface Report {
  testResults: {
    name: string;
    status: string;
    startTime: number;
    endTime: number;
    /** Why the file itself failed; empty when only its tests did. */
    message: string;
    assertionResults: {
      fullName: string;
      status: "passed" | "failed" | "skipped" | "pending" | "todo";
      failureMessages: string[];
    }[];
  }[];
}

interface Run {
  code: number;
  report: Report | undefined;
  costs: Cost[];
}

const SPACE_FOR_FILES = 4 * 1024 ** 3;

/**
 * Where the tests create their files: in memory, if this machine lets programs run there. On a disk, a busy file system
 * costs a tenth of the processor time. `DROVER_TEST_FILES` names another place.
 */
async function placeForFiles(): Promise<string> {
  const memory = "/dev/shm";
  const chosen = process.env["DROVER_TEST_FILES"];
  if (chosen !== undefined) return chosen;
  try {
    const { bavail, bsize } = await statfs(memory);
    const options = /^\S+ \/dev\/shm tmpfs (\S+)/m
      .exec(await readFile("/proc/mounts", "utf8"))?.[1]
      ?.split(",");
    const isUsable = options?.includes("rw") && !options.includes("noexec");
    if (isUsable && bavail * bsize >= SPACE_FOR_FILES && freemem() >= SPACE_FOR_FILES) return memory;
  } catch {
    // There is none.
  }
  return tmpdir();
}

async function runVitest(args: string[]): Promise<Run> {
  const directory = await realpath(await mkdtemp(join(await placeForFiles(), "drover-test-")));
  const file = join(directory, "report.json");
  // Workers and the programs they start compile the same modules again and again.
  const compiled = join(root, ".cache", "compile");
  const env = { ...process.env, DROVER_TEST_RUN: directory, NODE_COMPILE_CACHE: compiled };
  try {
    const vitest = join(root, "node_modules", "vitest", "vitest.mjs");
    const options = ["run", "--reporter=default", "--reporter=json", `--outputFile.json=${file}`];
    const child = spawn(process.execPath, [vitest, ...options, ...args], {
      cwd: root,
      env,
      stdio: "inherit",
    });
    // A terminal sends Ctrl-C to the whole group: vitest has it already.
    process.on("SIGINT", () => process.stdin.isTTY || child.kill("SIGINT"));
    process.on("SIGTERM", () => child.kill("SIGTERM"));
    const [code] = await once(child, "exit");
    const text = await readFile(file, "utf8").catch(() => undefined);
    const report = text === undefined ? undefined : (JSON.parse(text) as Report);
    const lines = (await readFile(join(directory, costs), "utf8").catch(() => ""))
      .split("\n")
      .filter(Boolean);
    return { code: code ?? 1, report, costs: lines.map((line) => JSON.parse(line) as Cost) };
  } finally {
    // An interrupted run skips its own cleanup, and agents outlive their parents.
    await killAllOf(directory);
    await rm(directory, { recursive: true, force: true });
  }
}

function summarise(code: number, files: Report["testResults"]) {
  const tests = files.flatMap((file) =>
    file.assertionResults.map((result) => ({ ...result, file: relative(root, file.name) })),
  );
  const failedTests = tests
    .filter(({ status }) => status === "failed")
    .map(({ file, fullName, failureMessages }) =>
      describeFailure(`${file}: ${fullName}`, failureMessages.join("\n")),
    );
  // A file that could not be loaded, or left something behind, fails without a failed test.
  const failedFiles = files
    .filter(
      (file) => file.status === "failed" && !file.assertionResults.some(({ status }) => status === "failed"),
    )
    .map(({ name, message }) => describeFailure(relative(root, name), message));
  const failures = [...failedTests, ...failedFiles];
  // vitest also fails for problems outside any file: a crashed worker, an unhandled rejection, no test at all.
  if (code !== 0 && failures.length === 0)
    failures.push(describeFailure(`vitest ended with ${code}, and no test did`));
  return {
    passed: tests.filter(({ status }) => status === "passed").length,
    failures,
    skipped: tests.filter(({ status }) => status !== "passed" && status !== "failed"),
  };
}

/** The slowest files. On a busy machine the processor time is more telling than the elapsed time. */
function slowest(files: Report["testResults"], run: readonly Cost[]): string {
  const used = new Map(run.map(({ path, seconds }) => [path, seconds]));
  const times = files.map(({ name, startTime, endTime }) => ({
    path: relative(root, name),
    passed: (endTime - startTime) / 1000,
    used: used.get(name) ?? 0,
  }));
  const column = (seconds: number) => `${seconds.toFixed(1).padStart(6)} s`;
  const listed = times.toSorted((a, b) => b.passed - a.passed).slice(0, Number(process.env["SLOWEST"] ?? 10));
  const sum = times.reduce((seconds, each) => seconds + each.used, 0);
  return [
    `the tests used ${sum.toFixed(0)} s of processor time; the slowest files (passed, used):`,
    ...listed.map(({ path, passed, used }) => `${column(passed)} ${column(used)}  ${path}`),
  ].join("\n");
}

preparePrograms();
const unbuilt = await buildTestedPackage().then(
  () => [],
  (error: unknown) => [describeFailure("the package could not be built", error)],
);
const { code, report, costs: spent } = await runVitest(process.argv.slice(2));
const { passed, skipped, ...tests } = summarise(code, report?.testResults ?? []);
const failures = [...unbuilt, ...tests.failures];
console.log(slowest(report?.testResults ?? [], spent));
for (const failure of failures) console.log(failure);
for (const { file, fullName } of skipped) console.log(`skipped: ${file}: ${fullName}`);
console.log(`${skipped.length} skipped`);
console.log(`${passed} passed, ${failures.length} failed`);
process.exitCode = failures.length > 0 ? 1 : 0;
