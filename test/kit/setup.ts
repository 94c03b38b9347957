// Before every test file: a fresh home, temp dir and environment. After it: no process, handle, descriptor or
// temp dir may be left. The hook is declared first, hence runs last, after the file's own.
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { basename, join } from "node:path";
import { afterAll, beforeAll, expect, inject } from "vitest";
import { type Cost, startedMarker } from "./global-setup.ts";
import { kept } from "./kept.ts";
import { startMeter } from "./meter.ts";
import { killAllOf, processesOf } from "./processes.ts";
import { until } from "./until.ts";

const root = process.cwd();

const path = expect.getState().testPath ?? "file";
const name = basename(path).replace(/\.test\.tsx?$/, "");
const directory = mkdtempSync(join(inject("files"), `${name}-`));
const home = join(directory, "home");
const temp = join(directory, "tmp");
mkdirSync(home);
mkdirSync(temp);
writeFileSync(
  join(home, ".gitconfig"),
  "[user]\n\tname = Test\n\temail = test@example.invalid\n[init]\n\tdefaultBranch = main\n",
);

/** A file may share its process with the next one, which gets the original environment. */
const environment = { ...process.env };

/** A test never sees the caller's logins, settings or running Drover. */
const foreign = /^(ANTHROPIC|CLAUDE|OPENAI|CODEX|GEMINI|GOOGLE|XDG|DROVER|GIT)_/;
for (const key of Object.keys(process.env)) if (foreign.test(key)) delete process.env[key];
Object.assign(process.env, { HOME: home, TMPDIR: temp, NODE_COMPILE_CACHE: join(root, ".cache", "compile") });

/** Handles that only a test can have opened; vitest itself has timers and pipes. */
const watched = new Set([
  "TCPServerWrap",
  "TCPSocketWrap",
  "ProcessWrap",
  "FSEventWrap",
  "StatWatcher",
  "UDPWrap",
]);

const openHandles = () => process.getActiveResourcesInfo().filter((kind) => watched.has(kind));
const ownHandles = () => openHandles().length - kept.children;

function openFiles(): string[] {
  if (process.platform !== "linux") return [];
  return readdirSync("/proc/self/fd").flatMap((fd) => {
    try {
      const target = readlinkSync(`/proc/self/fd/${fd}`);
      return target.startsWith(`${directory}/`) ? [target] : [];
    } catch {
      return []; // the descriptor of this listing itself
    }
  });
}

const atStart = ownHandles();
const usedSeconds = startMeter(name);

function leaks(): string[] {
  return [
    ...processesOf(directory).map(({ pid, command }) => `process ${pid}: ${command}`),
    ...(ownHandles() > atStart ? [`handles: ${openHandles().join(", ")}`] : []),
    ...openFiles().map((path) => `open file: ${path}`),
    // Node puts its compile cache there when a program starts without our environment, as agents do.
    ...readdirSync(temp)
      .filter((entry) => entry !== "node-compile-cache")
      .map((entry) => `temp: ${entry}`),
  ];
}

// A file whose tests are all skipped runs no hook: it has not started, so it need not end.
beforeAll(() => writeFileSync(join(directory, startedMarker), ""));

afterAll(async () => {
  // Processes that are ending need a moment; what a test forgot stays and is reported.
  const clean = await until(() => leaks().length === 0).catch(() => false);
  const found = clean ? [] : leaks();
  await killAllOf(directory);
  for (const key of Object.keys(process.env)) if (!(key in environment)) delete process.env[key];
  Object.assign(process.env, environment);
  rmSync(directory, { recursive: true, force: true });
  const cost: Cost = { path, seconds: await usedSeconds() };
  appendFileSync(inject("costs"), `${JSON.stringify(cost)}\n`);
  if (found.length > 0) throw new Error(`This file left behind:\n  ${found.join("\n  ")}`);
});
