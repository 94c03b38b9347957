// The built command against the real server.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { mkdir, readFile, rename, rm, stat, symlink, writeFile } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { isAlive, killAllOf } from "../../../../test/kit/processes.ts";
import { cleanEnvironment, droverCommand, type Server, startServer } from "../../../../test/kit/server.ts";
import { tempDir } from "../../../../test/kit/temp.ts";
import { until } from "../../../../test/kit/until.ts";

interface Running {
  readonly child: ChildProcess;
  stdout(): string;
  stderr(): string;
  readonly ended: Promise<{ code: number | null; stdout: string; stderr: string }>;
}

function launch(home: string, args: string[], env: Record<string, string> = {}): Running {
  const child = spawn(process.execPath, [droverCommand, ...args], {
    cwd: home,
    env: { ...cleanEnvironment(home), DROVER_PORT: "0", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let [stdout, stderr] = ["", ""];
  child.stdout?.setEncoding("utf8").on("data", (text: string) => (stdout += text));
  child.stderr?.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  const ended = once(child, "close").then(([code]) => ({ code: code as number | null, stdout, stderr }));
  return { child, stdout: () => stdout, stderr: () => stderr, ended };
}

const drover = (home: string, ...args: string[]) => launch(home, args).ended;

async function newHome(): Promise<string> {
  const home = await tempDir("home-");
  onTestFinished(async () => {
    await killAllOf(home.path);
    await home.remove();
  });
  return home.path;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

const serverFile = (home: string) =>
  JSON.parse(readFileSync(join(home, ".drover", "server.json"), "utf8")) as { pid: number };

// A test starts up to ten programs, one after the other.
describe("the command and the real server", { timeout: 180_000 }, () => {
  test("a server that gets TERM while it is starting exits with 0 and leaves no server.json", async () => {
    const home = await newHome();
    const serving = launch(home, ["serve"]);
    await until(() => stat(join(home, ".drover", "lock.db")));
    serving.child.kill("SIGTERM");
    expect(await serving.ended).toMatchObject({ code: 0, stderr: "" });
    await expect(stat(join(home, ".drover", "server.json"))).rejects.toThrow("ENOENT");
  });

  test("run starts a server that outlives it", async () => {
    const home = await newHome();
    const { code, stdout, stderr } = await launch(home, ["run", "demo", "say hello"]).ended;
    expect({ code, stdout }).toEqual({ code: 0, stdout: "hello\n" });
    expect(stderr).toMatch(/^[a-z]+-[a-z]+\nDone in \d+ s\n$/);
    const { pid } = serverFile(home);
    expect(isAlive(pid)).toBe(true);
    expect(await drover(home, "down")).toMatchObject({ code: 0 });
    expect(isAlive(pid)).toBe(false);
  });

  test("a server killed with -9 is started again on the port that was chosen for it", async () => {
    const home = await newHome();
    const port = await freePort();
    expect(await drover(home, "serve", "--detach", "--port", String(port))).toMatchObject({ code: 0 });
    const { pid } = serverFile(home);
    process.kill(pid, "SIGKILL");
    await until(() => !isAlive(pid));
    expect(await drover(home, "ls")).toMatchObject({ code: 0 });
    const restarted = serverFile(home);
    expect(restarted.pid).not.toBe(pid);
    expect(restarted).toMatchObject({ url: `http://127.0.0.1:${port}`, options: { port } });
  });

  test("run streams every word once, asks and succeeds although its server is killed twice", async () => {
    const home = await newHome();
    await using first = await startServer({ home });
    const cli = launch(home, ["run", "demo", "slow 5\nstream 400\nrun echo done >> f\nsay bye"]);
    await until(() => cli.stdout().includes("word50 "));
    await first.kill9();
    await using second = await startServer({ home });
    await until(() => cli.stderr().includes("permit allow"));
    await second.kill9();
    await using _third = await startServer({ home });
    const id = /permit allow (int_\w+)/.exec(cli.stderr())?.[1] ?? "";
    expect(await drover(home, "permit", "allow", id)).toMatchObject({ code: 0 });
    const { code, stdout } = await cli.ended;
    expect(code).toBe(0);
    const words = Array.from({ length: 400 }, (_, index) => `word${index + 1}`);
    expect(stdout.split(/\s+/).filter(Boolean)).toEqual([...words, "bye"]);
    expect(await readFile(join(home, "f"), "utf8")).toBe("done\n");
  });

  test("a backup made while serving is a complete home without the token", async () => {
    const home = await newHome();
    {
      await using _server = await startServer({ home });
      await drover(home, "run", "demo", "say remember me", "--name", "fox");
      const { code, stderr } = await drover(home, "backup", "copy");
      expect(code, stderr).toBe(0);
      expect(await drover(home, "backup", "copy")).toMatchObject({ code: 6 });
    }
    const elsewhere = await newHome();
    await rename(join(home, "copy"), join(elsewhere, ".drover"));
    await expect(stat(join(elsewhere, ".drover", "token"))).rejects.toThrow("ENOENT");
    await using _restored = await startServer({ home: elsewhere });
    expect(await drover(elsewhere, "logs", "fox")).toMatchObject({ code: 0, stdout: "remember me\n" });
    const raw = await drover(elsewhere, "logs", "fox", "--raw");
    expect(raw.stdout).toContain("remember me");
  });

  test("serve reports configuration errors, also when another command starts it", async () => {
    const home = await newHome();
    await mkdir(join(home, ".drover"), { mode: 0o700 });
    await writeFile(join(home, ".drover", "drover.yaml"), "server:\n  prot: 1\n");
    for (const args of [["serve"], ["serve", "--detach"], ["ls"]]) {
      const { code, stderr } = await drover(home, ...args);
      expect(code).toBe(2);
      expect(stderr).toContain("drover.yaml:2");
    }
  });

  test("an unusable address or file is exit 2 with a message", async () => {
    const home = await newHome();
    const env = { DROVER_BIND: "192.0.2.1", DROVER__SERVER__ALLOWREMOTE: "true" };
    const nowhere = await launch(home, ["serve"], env).ended;
    expect(nowhere).toMatchObject({ code: 2, stderr: expect.stringContaining("192.0.2.1 (server.bind)") });
    await rm(join(home, ".drover"), { recursive: true });
    await mkdir(join(home, ".drover", "token"), { recursive: true, mode: 0o700 });
    const unreadable = await drover(home, "serve");
    expect(unreadable).toMatchObject({ code: 2, stderr: expect.stringMatching(/^The home .*token/) });
  });

  test("a home that is not writable is exit 2 and says what to do", async () => {
    const home = await newHome();
    await symlink(join(home, "nowhere", "at-all"), join(home, ".drover"));
    for (const args of [["serve"], ["serve", "--detach"], ["ls"]]) {
      const { code, stderr } = await drover(home, ...args);
      expect({ code, stderr }).toEqual({
        code: 2,
        stderr: expect.stringMatching(/^The home .* choose another/),
      });
    }
  });
});

describe("commands on one server", { timeout: 180_000 }, () => {
  let server: Server;
  beforeAll(async () => {
    server = await startServer();
  });
  afterAll(() => server.stop());

  test("a pipe gets the whole output, more than it can hold at once", async () => {
    const { home } = server;
    await drover(home, "run", "demo", "stream 10000", "--name", "long");
    const piped = spawn(
      "sh",
      ["-c", '"$@" | cat', "sh", process.execPath, droverCommand, "logs", "long", "--json"],
      {
        env: cleanEnvironment(home),
        stdio: ["ignore", "pipe", "inherit"],
      },
    );
    const { items } = JSON.parse(await text(piped.stdout)) as { items: { text?: string }[] };
    expect(items.map((item) => item.text ?? "").join("")).toContain("word10000");
  });

  test("Ctrl-C interrupts the turn; a pipe that is closed early ends quietly", async () => {
    const { home } = server;
    const cli = launch(home, ["run", "demo", "slow 20\nstream 5000"]);
    await until(() => cli.stdout().includes("word10 "));
    cli.child.kill("SIGINT");
    expect(await cli.ended).toMatchObject({ code: 130 });

    const piped = launch(home, ["run", "demo", "slow 1\nstream 300"]);
    piped.child.stdout?.destroy();
    const { code, stderr } = await piped.ended;
    expect(code).toBe(0);
    expect(stderr).not.toContain("EPIPE");
  });

  test("a deleted session's log is readable by id until it is pruned", async () => {
    const { home } = server;
    await drover(home, "run", "demo", "say kept", "--name", "fox");
    const { id } = JSON.parse((await drover(home, "show", "fox", "--json")).stdout) as { id: string };
    const sessionFiles = join(server.droverHome, "sessions", id);
    expect(await drover(home, "rm", "fox")).toMatchObject({ code: 0 });
    expect(await drover(home, "show", "fox")).toMatchObject({ code: 5 });
    expect(await drover(home, "logs", id)).toMatchObject({ code: 0, stdout: "kept\n" });
    const dry = await drover(home, "prune", "--older-than", "0s", "--dry-run", "--json");
    expect(JSON.parse(dry.stdout)).toMatchObject({ pruned: [id], dryRun: true });
    expect((await stat(sessionFiles)).isDirectory()).toBe(true);
    expect(await drover(home, "prune", "--older-than", "0s")).toMatchObject({ code: 0 });
    await expect(stat(sessionFiles)).rejects.toThrow("ENOENT");
    expect(await drover(home, "logs", id)).toMatchObject({ code: 5 });
  });
});
