// How Drover is started, and which Node it finds. Uses copies in made-up packages, so the server is not involved.
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { cp, mkdir, readdir, stat, writeFile } from "node:fs/promises";
import { delimiter, dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { root } from "../scripts/root.ts";
import { isAlive } from "./kit/processes.ts";
import { tempDir } from "./kit/temp.ts";
import { until } from "./kit/until.ts";

const bin = join(root, "packages", "server", "bin");

const report =
  "console.log(JSON.stringify({ pid: process.pid, args: process.argv.slice(2), exec: process.execArgv }));";

/** A package directory with the real bin/ and `files`. */
async function packageWith(files: Record<string, string>) {
  const directory = await tempDir("launcher-");
  await cp(bin, join(directory.path, "bin"), { recursive: true });
  for (const [path, content] of Object.entries({ "package.json": '{"type":"module"}', ...files })) {
    await mkdir(dirname(join(directory.path, path)), { recursive: true });
    await writeFile(join(directory.path, path), content);
  }
  return { ...directory, drover: join(directory.path, "bin", "drover.js") };
}

async function runDrover(drover: string, node = process.execPath) {
  const child = spawn(node, [drover, "ls", "--json"], { stdio: ["ignore", "pipe", "inherit"] });
  const said = JSON.parse(await text(child.stdout)) as { pid: number; args: string[]; exec: string[] };
  return { ...said, spawned: child.pid };
}

/** A checkout with the real scripts of `npm start` and a one-line command line. */
async function checkoutWith(files: Record<string, string>) {
  const checkout = await packageWith({
    "packages/server/src/main.ts": "console.log('served:', ...process.argv.slice(2));",
    ...files,
  });
  await cp(bin, join(checkout.path, "packages", "server", "bin"), { recursive: true });
  await cp(join(root, "scripts"), join(checkout.path, "scripts"), { recursive: true });
  const npmStart = () => {
    const args = ["scripts/n24.js", "node", "scripts/start.ts"];
    const { status, stdout, stderr } = spawnSync(process.execPath, args, {
      cwd: checkout.path,
      encoding: "utf8",
    });
    return { status, stdout, stderr };
  };
  return { ...checkout, npmStart };
}

/** A Node on this machine that is too old for Drover, if there is one. */
const oldNode = (process.env["PATH"] ?? "")
  .split(delimiter)
  .map((directory) => join(directory, "node"))
  .find(
    (path) =>
      existsSync(path) &&
      Number(/^v(\d+)/.exec(execFileSync(path, ["--version"], { encoding: "utf8" }))?.[1]) < 24,
  );

test("in a checkout the command runs the source, in the process that was started", async () => {
  await using checkout = await packageWith({ "src/main.ts": `const n: number = 1; if (n) ${report}` });
  const { pid, args, exec, spawned } = await runDrover(checkout.drover);
  expect(args).toEqual(["ls", "--json"]);
  expect(exec).toEqual(["-C", "source"]);
  expect(pid).toBe(spawned);
});

test("in a published package the command runs the built JavaScript", async () => {
  await using published = await packageWith({ "dist/main.js": report });
  const { pid, args, exec, spawned } = await runDrover(published.drover);
  expect(args).toEqual(["ls", "--json"]);
  expect(exec).toEqual([]);
  expect(pid).toBe(spawned);
});

test.skipIf(!oldNode)("an older Node starts the Node 24 that npm ci installed (needs one)", async () => {
  const platform = `node-${process.platform}-${process.arch}`;
  await using checkout = await packageWith({
    "src/main.ts": report,
    [`node_modules/${platform}/package.json`]: "{}",
    [`node_modules/${platform}/bin/node`]: "",
  });
  await cp(process.execPath, join(checkout.path, "node_modules", platform, "bin", "node"));
  const { args, exec } = await runDrover(checkout.drover, oldNode);
  expect(args).toEqual(["ls", "--json"]);
  expect(exec).toEqual(["-C", "source"]);
});

test.skipIf(!oldNode)(
  "without Node 24, an older Node prints one sentence and exits with 2 (needs one)",
  async () => {
    await using published = await packageWith({ "dist/main.js": report });
    const { status, stdout, stderr } = spawnSync(oldNode ?? "", [published.drover, "ls"], {
      encoding: "utf8",
    });
    expect(status).toBe(2);
    expect(stdout).toBe("");
    expect(stderr).toMatch(/^Drover needs Node 24 or newer and this is v\d+\.[^\n]+\n$/);
  },
);

test("compiled code is cached where other users cannot write, not in a shared directory", async () => {
  await using published = await packageWith({ "dist/main.js": report, "tmp/keep": "" });
  const temp = join(published.path, "tmp");
  const env = { PATH: process.env["PATH"], HOME: published.path, TMPDIR: temp };
  expect(spawnSync(process.execPath, [published.drover], { env }).status).toBe(0);
  expect(await readdir(temp)).toEqual(["keep"]);
  const cache = join(published.path, ".cache", "drover");
  expect((await stat(cache)).mode & 0o777).toBe(0o700);
  expect(await readdir(cache)).toHaveLength(1);
});

test("a launcher forwards signals and exits like its command", async () => {
  await using directory = await packageWith({
    "launch.js": 'import { launch } from "./bin/node24.js"; launch(process.execPath, [process.argv[2]]);',
    "serve.js":
      'process.on("SIGTERM", () => process.exit(7)); setInterval(() => {}, 1000); console.log(process.pid);',
  });
  const file = (name: string) => join(directory.path, name);
  const start = () =>
    spawn(process.execPath, [file("launch.js"), file("serve.js")], { stdio: ["ignore", "pipe", "inherit"] });

  const terminated = start();
  await once(terminated.stdout, "data");
  terminated.kill("SIGTERM");
  expect((await once(terminated, "exit"))[0]).toBe(7);

  const killed = start();
  const pid = Number((await once(killed.stdout, "data"))[0]);
  process.kill(pid, "SIGKILL");
  expect((await once(killed, "exit"))[0]).toBe(128 + 9);
  await until(() => !isAlive(pid));
});

test("npm start without installed packages says to run npm ci", async () => {
  await using checkout = await checkoutWith({});
  const stderr = `Nothing is installed in ${checkout.path} yet: run \`npm ci\` there first.\n`;
  expect(checkout.npmStart()).toEqual({ status: 2, stdout: "", stderr });
});

test("npm start serves without a page if none can be built, and says why in one line", async () => {
  // A file at this path prevents a directory there, even for root.
  await using checkout = await checkoutWith({
    "node_modules/.package-lock.json": "{}",
    "packages/web/dist": "",
  });
  const { status, stdout, stderr } = checkout.npmStart();
  expect({ status, stdout }).toEqual({ status: 0, stdout: "served: serve\n" });
  expect(stderr).toMatch(/^The page could not be built, so the server starts without it: E\w+: .*dist.*\n$/);
});
