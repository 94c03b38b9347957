import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { newSessionId, readLog } from "../../../../test/contract/store-fixtures.ts";
import { tempDir } from "../../../../test/kit/temp.ts";
import { homeAt } from "../../src/home.ts";
import { acquireHome } from "../../src/store/home-lock.ts";
import { openSqliteStore } from "../../src/store/sqlite.ts";

const writer = fileURLToPath(new URL("./endless-writer.ts", import.meta.url));
const holder = `
  const { acquireHome } = await import(${JSON.stringify(new URL("../../src/store/home-lock.ts", import.meta.url))});
  acquireHome(process.argv[1], () => undefined);
  gc();
  console.log("held");
  setInterval(() => {}, 1_000_000);`;

const run = (args: string[]): ChildProcess =>
  spawn(process.execPath, ["-C", "source", ...args], { stdio: ["ignore", "pipe", "inherit"] });

/** Waits for the nth line, kills the program with SIGKILL, and returns all lines it printed. */
async function killAfterLine(child: ChildProcess, n: number): Promise<string[]> {
  const lines: string[] = [];
  const reader = createInterface({ input: child.stdout! });
  reader.on("line", (line) => {
    lines.push(line);
    if (lines.length === n) child.kill("SIGKILL");
  });
  await Promise.all([once(child, "exit"), once(reader, "close")]);
  return lines.filter((line) => /^\d+$|^held$/.test(line));
}

test("D5 after kill -9 between writes, all acknowledged events are readable and gapless, and no number is reused", async () => {
  await using dir = await tempDir();
  const id = newSessionId();
  let before = new Map<number, string>();
  for (const lines of [1, 2, 17, 60, 150]) {
    const output = await killAfterLine(run([writer, dir.path, id]), lines);
    const acknowledged = Number(output.at(-1));
    await using store = await openSqliteStore({ file: homeAt(dir.path).database });
    expect(store.report).toEqual({});
    const log = await readLog(store, id);
    expect(log.every(({ from }, i) => from === (log[i - 1]?.seq ?? 0) + 1)).toBe(true);
    const lastSeq = await store.lastSeq(id);
    expect(lastSeq).toBeGreaterThanOrEqual(acknowledged);
    expect((await store.session(id))?.state.lastSeq).toBe(lastSeq);
    // A row found after the last kill is unchanged, unless a complete item has replaced it.
    const now = new Map(log.map(({ seq, data }) => [seq, data]));
    for (const [seq, data] of before) {
      if (now.get(seq)?.includes('"whole"') === false) expect(now.get(seq)).toBe(data);
    }
    before = now;
  }
});

test("D7 a second server on a home is rejected with the first one's details, until the first one ends in any way", async () => {
  await using dir = await tempDir();
  const lock = join(dir.path, "lock.db");
  const child = run(["--expose-gc", "--input-type=module", "-e", holder, lock]);
  const output = createInterface({ input: child.stdout! });
  await once(output, "line");
  const attempt = () => acquireHome(lock, () => ({ pid: 4321, url: "http://127.0.0.1:9" }));
  expect(attempt).toThrow(
    expect.objectContaining({
      name: "StoreRefused",
      code: "IN_USE",
      message: expect.stringMatching(/pid 4321, http:\/\/127\.0\.0\.1:9.*drover down/),
    }),
  );
  child.kill("SIGKILL");
  await once(child, "exit");
  {
    using held = attempt();
    expect(attempt, "also within one process").toThrow(/Another Drover server/);
    held.release();
  }
  using again = attempt();
  expect(again).toBeDefined();
});
