import { once } from "node:events";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type TempDir, tempDir } from "../../../../test/kit/temp.ts";
import { makeFifo } from "../../src/process/fifo.ts";
import { maxInstructionBytes } from "../../src/process/instruction-file.ts";
import { readConfigured, readRequested } from "../../src/workspace/instructions.ts";

let dir: TempDir;
beforeAll(async () => {
  dir = await tempDir();
  await mkdir(at("home"));
  await mkdir(at("work"));
  await writeFile(at("home", "token"), "secret");
  await writeFile(at("work", "good.md"), "Use tabs.");
  await writeFile(at("work", "binary"), "a\0b");
  await writeFile(at("work", "exact.md"), "x".repeat(maxInstructionBytes));
  await writeFile(at("work", "large.md"), "x".repeat(maxInstructionBytes + 1));
  await makeFifo(at("work", "fifo"));
  await symlink(at("work", "fifo"), at("work", "to-fifo"));
  await symlink(at("home", "token"), at("work", "to-token"));
  await symlink(at("home"), at("work", "to-home"));
  await symlink(at("work", "good.md"), at("work", "to-good"));
});
afterAll(() => dir.remove());

const at = (...parts: string[]) => join(dir.path, ...parts);
const bounds = () => ({ roots: ["/"], home: at("home") });

const refused = (why: RegExp) => ({
  ok: false,
  error: { code: "INSTRUCTIONS_UNREADABLE", message: expect.stringMatching(why) },
});

describe("an instruction file", () => {
  test("is read up to the maximum size, also through a link", async () => {
    for (const read of [(path: string) => readRequested(path, bounds()), readConfigured]) {
      expect(await read(at("work", "good.md"))).toEqual({ ok: true, value: "Use tabs." });
      expect(await read(at("work", "to-good"))).toEqual({ ok: true, value: "Use tabs." });
      expect(await read(at("work", "exact.md"))).toMatchObject({ ok: true });
    }
  });

  test.each([
    ["a FIFO", () => at("work", "fifo"), /not a regular file/],
    ["a link to a FIFO", () => at("work", "to-fifo"), /not a regular file/],
    ["a directory", () => at("work"), /not a regular file/],
    ["an endless device", () => "/dev/zero", /not a regular file/],
    ["a file that is too large", () => at("work", "large.md"), /more than 1048576 bytes/],
    ["a binary file", () => at("work", "binary"), /not a text file/],
    ["missing", () => at("work", "none.md"), /no such file/],
  ])("H8 that is %s is refused to requests and to the configuration", async (_what, path, why) => {
    expect(await readRequested(path(), bounds())).toMatchObject(refused(why));
    expect(await readConfigured(path())).toMatchObject(refused(why));
  });

  test("H8 that is a socket is refused", async () => {
    await using server = createServer().listen(at("work", "socket"));
    await once(server, "listening");
    expect(await readConfigured(at("work", "socket"))).toMatchObject(refused(/not a regular file/));
  });

  test.each([
    ["by its name", () => at("home", "token")],
    ["through a link", () => at("work", "to-token")],
    ["through a link to the directory", () => at("work", "to-home", "token")],
    ["through /proc/self/root", () => `/proc/self/root${at("home", "token")}`],
    ["by way of another directory", () => `${at("work")}/../home/token`],
  ])(
    "H8 inside Drover's home, named %s, is refused to a request but not to the configuration",
    async (_how, path) => {
      expect(await readRequested(path(), bounds())).toMatchObject(refused(/inside Drover's own home/));
      expect(await readConfigured(path())).toEqual({ ok: true, value: "secret" });
    },
  );

  test("outside the roots is refused to requests", async () => {
    const roots = [at("home")];
    const { ok, error } = (await readRequested(at("work", "good.md"), { ...bounds(), roots })) as {
      ok: false;
      error: { code: string };
    };
    expect({ ok, code: error.code }).toEqual({ ok: false, code: "OUTSIDE_BOUNDARY" });
  });
});
