// All other tests rely on the kit, so its checks are tested too.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdir, writeFile } from "node:fs/promises";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { root } from "../../scripts/root.ts";
import { follow, ofType } from "./events.ts";
import { api } from "./http.ts";
import { environmentOf, isAlive, killAllOf, processesOf } from "./processes.ts";
import type { Target } from "./server.ts";
import { sseBlocks } from "./sse.ts";
import { tempDir } from "./temp.ts";
import { until } from "./until.ts";

async function serve(listener: RequestListener): Promise<Target & AsyncDisposable> {
  const server = createServer(listener).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    token: "secret",
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

const frame = (seq: number, fields: Record<string, unknown>) =>
  `id: ${seq}\nevent: ${fields["type"]}\ndata: ${JSON.stringify({ seq, from: seq, ...fields })}\n\n`;

test("until returns the value, and its error says what it waited for", async () => {
  let calls = 0;
  expect(await until(() => ++calls === 3 && "third")).toBe("third");
  const never = until(() => Promise.reject(new Error("still closed")), {
    deadline: 30,
    what: "the door opens",
  });
  await expect(never).rejects.toThrow("Not within 30 ms: the door opens");
});

test("an event stream is read across chunk borders, even in the middle of a character", async () => {
  const bytes = new TextEncoder().encode(`: hb\n\n${frame(1, { type: "text_delta", text: "a🐑b" })}`);
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const byte of bytes) controller.enqueue(Uint8Array.of(byte));
      controller.close();
    },
  });
  const blocks = [];
  for await (const block of sseBlocks(body)) blocks.push(block);
  expect(blocks[0]).toEqual({ comment: "hb" });
  expect(blocks[1]).toMatchObject({ id: "1", event: "text_delta" });
  expect(JSON.parse(blocks[1]?.data ?? "")).toMatchObject({ text: "a🐑b" });
});

const done = { type: "done", turnId: "trn_1", reason: "end_turn", ok: true, partial: false };

test("a follower reconnects with its cursor after every break and joins the text", async () => {
  const cursors: (string | undefined)[] = [];
  const parts = ["one ", "two ", "three"];
  await using server = await serve((request, response) => {
    const after = request.headers["last-event-id"];
    cursors.push(after === undefined ? undefined : String(after));
    response.writeHead(200, { "content-type": "text/event-stream" });
    const seq = Number(after ?? 0) + 1;
    const text = parts[seq - 1];
    if (text !== undefined) response.end(frame(seq, { type: "text_delta", itemId: "itm_1", text }));
    else if (seq === 4) response.end(frame(4, done));
  });
  await using follower = follow(() => server, "ses_1", { after: 0 });
  await follower.until(ofType("done"));
  expect(follower.text()).toBe("one two three");
  expect(cursors.slice(0, 4)).toEqual(["0", "1", "2", "3"]);
});

test("a follower rejects a stream that skips a number", async () => {
  await using server = await serve((_request, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write(frame(1, { type: "text_delta", itemId: "itm_1", text: "a" }));
    response.write(frame(3, { type: "text_delta", itemId: "itm_1", text: "c" }));
  });
  const follower = follow(() => server, "ses_1", { after: 0 });
  await expect(follower.until(ofType("done"))).rejects.toThrow("text_delta stands for 3…3 after 1");
  await expect(follower.close()).rejects.toThrow("broke its contract");
});

test("a follower rejects an event that does not match core's table", async () => {
  await using server = await serve((_request, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write(frame(1, { ...done, reason: "because" }));
  });
  const follower = follow(() => server, "ses_1", { after: 0 });
  await expect(follower.until(ofType("turn_start"))).rejects.toThrow("done does not match the table");
  await expect(follower.close()).rejects.toThrow("broke its contract");
});

test("the API client adds the token and throws the server's message unless the request succeeded", async () => {
  await using server = await serve((request, response) => {
    const ok = request.headers.authorization === "Bearer secret" && request.url === "/api/health";
    response.writeHead(ok ? 200 : 404, { "content-type": "application/json" });
    response.end(JSON.stringify(ok ? { status: "ok" } : { code: "NOT_FOUND" }));
  });
  expect(await api(server).get("/api/health")).toEqual({ status: "ok" });
  await expect(api(server).get("/api/nothing")).rejects.toThrow('404 {"code":"NOT_FOUND"}');
});

test.runIf(process.platform === "linux")(
  "a process that left its group and session is still found by its home and killed",
  async () => {
    await using home = await tempDir();
    const child = spawn("setsid", ["sleep", "60"], { env: { PATH: process.env["PATH"], HOME: home.path } });
    const pid = child.pid ?? 0;
    await until(() => processesOf(home.path).some((found) => found.command === "sleep 60"));
    expect(environmentOf(pid)?.get("HOME")).toBe(home.path);
    expect(processesOf(`${home.path}-other`)).toEqual([]);
    await Promise.all([once(child, "exit"), killAllOf(home.path)]);
    expect(isAlive(pid)).toBe(false);
  },
);

test("a run passes if all tests of a file are skipped, and fails if a file dies before it cleans up", async () => {
  const runFile = async (content: string) => {
    await using project = await tempDir("run-");
    const setup = (name: string) => [join(import.meta.dirname, name)];
    const options = { globals: true, setupFiles: setup("setup.ts"), globalSetup: setup("global-setup.ts") };
    await writeFile(join(project.path, "only.test.ts"), content);
    await writeFile(
      join(project.path, "vitest.config.mjs"),
      `export default ${JSON.stringify({ test: options })}`,
    );
    const vitest = join(root, "node_modules", "vitest", "vitest.mjs");
    const child = spawn(process.execPath, [vitest, "run", "--root", project.path], {
      stdio: ["ignore", "ignore", "pipe"],
    });
    const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, "exit")]);
    return { stderr, code };
  };
  expect(await runFile('test.skip("nothing to do here", () => {});')).toEqual({ stderr: "", code: 0 });
  const killed = await runFile('test("dies", () => process.kill(process.pid, "SIGKILL"));');
  expect(killed.code).not.toBe(0);
  expect(killed.stderr).toContain("directory of a file that did not end: only-");
});

test.runIf(process.platform === "linux")(
  "an interrupted npm test leaves no agent running and nothing in the temp directory",
  { timeout: 180_000 },
  async () => {
    await using temp = await tempDir("interrupted-");
    const args = ["scripts/test.ts", "test/e2e/hostile.test.ts", "-t", "a hundred thousand updates"];
    const child = spawn(process.execPath, args, {
      cwd: root,
      env: { ...process.env, TMPDIR: temp.path, DROVER_TEST_FILES: temp.path },
      stdio: "ignore",
    });
    const agents = () => processesOf(temp.path).filter(({ command }) => command.includes("floods.mjs"));
    const [agent] = await until(() => agents().length > 0 && agents(), { deadline: 150_000 });
    child.kill("SIGINT");
    await once(child, "exit");
    expect(isAlive(agent?.pid ?? 0)).toBe(false);
    expect((await readdir(temp.path)).filter((name) => name.startsWith("drover-"))).toEqual([]);
  },
);
