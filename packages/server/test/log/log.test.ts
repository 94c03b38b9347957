import { mkdir, readdir, readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { tempDir } from "../../../../test/kit/temp.ts";
import { createLogger, type LogLevel, type ServerLog } from "../../src/log.ts";

/** The lines that `act` logs. */
async function logged(use: (log: ServerLog) => void, level: LogLevel = "debug") {
  const to = new PassThrough();
  {
    using log = createLogger({ level, to });
    use(log);
  }
  to.end();
  const lines = (await text(to)).split("\n").filter(Boolean);
  return lines.map((line): Record<string, unknown> => JSON.parse(line));
}

test("each line is one JSON object with time, level, message and facts", async () => {
  const [line, ...rest] = await logged((log) =>
    log.info("turn ended", { sessionId: "ses_1", took: 12n, level: "mine" }),
  );
  expect(line).toEqual({
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
    level: "info",
    message: "turn ended",
    sessionId: "ses_1",
    took: "12",
  });
  expect(Object.keys(line ?? {}).slice(0, 3)).toEqual(["time", "level", "message"]);
  expect(rest).toEqual([]);
});

test("only lines at or above the configured level are written", async () => {
  const all = (log: ServerLog) => {
    for (const level of ["debug", "info", "warn", "error"] as const) log[level](level);
  };
  expect((await logged(all, "warn")).map(({ level }) => level)).toEqual(["warn", "error"]);
  expect(await logged(all, "debug")).toHaveLength(4);
});

test("errors are logged with their stack and cause, and values that cannot be serialized do no harm", async () => {
  const cause = Object.assign(new Error("no such file"), { code: "ENOENT" });
  const loop: Record<string, unknown> = {};
  loop["self"] = loop;
  const [line, odd] = await logged((log) => {
    log.error("it failed", { error: new TypeError("bad", { cause }) });
    log.error("odd", loop);
  });
  expect(line?.["error"]).toMatchObject({
    name: "TypeError",
    message: "bad",
    stack: expect.stringContaining("log.test.ts"),
    cause: { message: "no such file", code: "ENOENT" },
  });
  expect(odd).toMatchObject({ message: "odd", unloggable: expect.stringContaining("circular") });
});

test("secrets are redacted: registered ones anywhere, others by their field", async () => {
  const token = 'drv_"quoted"_0123456789';
  const lines = await logged((log) => {
    using code = log.redact("one-time-code-1");
    log.redact(token);
    log.redact("");
    log.info(`the token is ${token}!`, { nested: [{ deep: `x${token}` }], code: "one-time-code-1" });
    log.info("headers", {
      headers: { Authorization: "Basic abc", cookie: "drover_4242=secret1; a=b", accept: "*/*" },
      said: "Bearer secret2, and drover_1=secret3; http://127.0.0.1:1/login#secret4",
      error: new Error("Authorization: Bearer secret5"),
    });
    log.info("a page's socket", {
      headers: { "X-Drover-Key": "secret6", "sec-websocket-protocol": "drover, key.secret7" },
      offered: `drover, key.secret8${"x".repeat(40)}`,
    });
    code[Symbol.dispose]();
    log.info("one-time-code-1 is used up");
  });
  const all = JSON.stringify(lines);
  expect(all).not.toMatch(/secret\d|quoted/);
  expect(lines[0]).toMatchObject({
    message: "the token is [redacted]!",
    nested: [{ deep: "x[redacted]" }],
    code: "[redacted]",
  });
  expect(lines[1]).toMatchObject({
    headers: { Authorization: "[redacted]", cookie: "[redacted]", accept: "*/*" },
    said: "Bearer [redacted], and drover_1=[redacted]; http://127.0.0.1:1/login#[redacted]",
  });
  expect(lines[2]).toMatchObject({ offered: "drover, key.[redacted]" });
  expect(lines[3]?.["message"]).toBe("one-time-code-1 is used up");
});

test("a file rotates at its maximum size, the configured number of old files stays, and no line is lost or torn", async () => {
  await using dir = await tempDir();
  const file = join(dir.path, "server.log");
  const write = (from: number, to: number) => {
    using log = createLogger({ level: "info", to: { file, maxSize: 1_000, keep: 2 } });
    for (let n = from; n < to; n++) log.info(`line ${n}`);
  };
  write(0, 190);
  write(190, 200);
  expect((await readdir(dir.path)).sort()).toEqual(["server.log", "server.log.1", "server.log.2"]);
  let next = 199;
  for (const name of ["server.log", "server.log.1", "server.log.2"]) {
    const path = join(dir.path, name);
    const { size, mode } = await stat(path);
    expect(size).toBeLessThanOrEqual(1_000);
    expect(mode & 0o077).toBe(0);
    for (const line of (await readFile(path, "utf8")).trimEnd().split("\n").reverse()) {
      expect(JSON.parse(line).message).toBe(`line ${next--}`);
    }
  }
  expect(next).toBeGreaterThan(0);
});

test("with keep: 0 the file is truncated", async () => {
  await using dir = await tempDir();
  const file = join(dir.path, "server.log");
  using log = createLogger({ level: "info", to: { file, maxSize: 200, keep: 0 } });
  for (let n = 0; n < 20; n++) log.info(`line ${n}`);
  expect(await readdir(dir.path)).toEqual(["server.log"]);
  expect(await readFile(file, "utf8")).toContain("line 19");
});

test("a log that cannot be written does no harm, and later reports the missing lines", async () => {
  const missing = await tempDir();
  const file = join(missing.path, "server.log");
  await missing.remove();
  using log = createLogger({ level: "info", to: { file, maxSize: 1_000, keep: 1 } });
  log.info("one");
  log.info("two");
  await mkdir(missing.path);
  log.info("three");
  const lines = (await readFile(file, "utf8"))
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(lines).toMatchObject([{ message: "Could not write log lines", lost: 2 }, { message: "three" }]);
  await rm(missing.path, { recursive: true });
});
