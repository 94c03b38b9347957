import { chmod, mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Finding } from "@drover/core";
import { describe, expect, test } from "vitest";
import { identify } from "../../src/process/identity.ts";
import { FakeServer } from "./fake-server.ts";
import { newHome } from "./new-home.ts";
import type { StartOptions } from "./run-cli.ts";

const home = newHome();

async function diagnose(options: Partial<StartOptions> = {}) {
  const { code, stdout } = await home.drover(["doctor", "--json"], options);
  const { ok, findings } = JSON.parse(stdout) as { ok: boolean; findings: Finding[] };
  const about = (check: string) => findings.filter((finding) => finding.check === check);
  return { code, ok, findings, about };
}

describe("doctor", () => {
  test("finds nothing broken in a new home and starts nothing", async () => {
    const { code, ok, about } = await diagnose();
    expect({ code, ok }).toEqual({ code: 0, ok: true });
    expect(about("home")).toMatchObject([{ status: "note" }]);
    expect(about("server")).toMatchObject([{ status: "note", remedy: "`drover serve` starts it." }]);
  });

  test("prints each finding with its remedy, and exits with 1 if something is broken", async () => {
    await home.make();
    await writeFile(join(home.path, "token"), "x");
    await chmod(join(home.path, "token"), 0o644);
    const { code, stdout } = await home.drover(["doctor"]);
    expect(code).toBe(1);
    expect(stdout).toMatch(/✗ token +Other users can read .*\n +→ `chmod 600 /);
    expect(stdout).toMatch(/✓ node +\d+\./);
  });

  test("reports a home that others can read", async () => {
    await home.make();
    await chmod(home.path, 0o755);
    expect((await diagnose()).about("home")).toMatchObject([
      { status: "broken", remedy: `\`chmod 700 ${home.path}\`` },
    ]);
  });

  test("reports secrets of accounts that others can read", async () => {
    await home.make();
    const own = join(home.path, "accounts", `acc_${"a".repeat(26)}`);
    await mkdir(own, { recursive: true, mode: 0o700 });
    await writeFile(join(own, "secret.json"), "{}", { mode: 0o600 });
    expect((await diagnose()).about("accounts")).toMatchObject([{ status: "ok" }]);
    await chmod(join(own, "secret.json"), 0o640);
    expect((await diagnose()).about("accounts")).toMatchObject([
      { status: "broken", remedy: expect.stringContaining(`chmod -R go= ${join(home.path, "accounts")}`) },
    ]);
  });

  test("finds nothing broken in a home that is a symbolic link", async () => {
    const kept = `${home.path}-kept`;
    await mkdir(kept, { mode: 0o700 });
    await symlink(kept, home.path);
    expect((await diagnose()).about("home")).toMatchObject([{ status: "ok", message: home.path }]);
    await chmod(kept, 0o755);
    expect((await diagnose()).about("home")).toMatchObject([{ status: "broken" }]);
  });

  test("names every mistake in the configuration with its line", async () => {
    await home.make();
    await writeFile(join(home.path, "drover.yaml"), "server:\n  prot: 1\nlog: {level: loud}\n");
    const { code, about } = await diagnose();
    expect(code).toBe(1);
    const messages = about("configuration").map(({ message }) => message);
    expect(messages).toHaveLength(2);
    expect(messages.join("\n")).toContain("drover.yaml:2");
  });

  test("distinguishes a server that answers, one that died and one that does not answer", async () => {
    await using server = await FakeServer.start(home.path);
    expect((await diagnose()).about("server")).toMatchObject([{ status: "ok" }]);
    server.routes["GET /api/health"] = () => ({ status: 500, body: {} });
    expect((await diagnose()).about("server")).toMatchObject([{ status: "broken" }]);
    await server.kill();
    expect((await diagnose()).about("server")).toMatchObject([{ status: "broken" }]);
    const died = { ...identify(process.pid), startTime: "1", url: "x", version: "x", startedAt: "x" };
    await writeFile(join(home.path, "server.json"), JSON.stringify(died));
    expect((await diagnose()).about("server")).toMatchObject([
      { status: "note", remedy: "`drover serve` starts it again and reconnects to them." },
    ]);
    await writeFile(join(home.path, "server.json"), "{");
    expect((await diagnose()).about("server")).toMatchObject([{ status: "broken" }]);
  });

  test("reports a file that is not a database, and one that was set aside", async () => {
    await home.make();
    await writeFile(join(home.path, "drover.db"), "not a database at all");
    await writeFile(join(home.path, "drover.db.corrupt-20260218T143000000Z"), "");
    const { code, about } = await diagnose();
    expect(code).toBe(1);
    expect(about("database")).toMatchObject([{ status: "broken" }, { status: "note" }]);
  });

  test("reports a database of a newer Drover, and a damaged one", async () => {
    await home.make();
    await home.makeStore();
    const db = new DatabaseSync(join(home.path, "drover.db"));
    db.exec("PRAGMA user_version = 999");
    db.close();
    await writeFile(join(home.path, "drover.db.suspect"), "");
    const { code, about } = await diagnose();
    expect(code).toBe(1);
    expect(about("database")).toMatchObject([
      { status: "broken", message: expect.stringContaining("newer Drover (schema 999") },
      { status: "broken", message: expect.stringContaining("Damage was found") },
    ]);
  });

  test("notes a policy file, which this version ignores", async () => {
    await home.make();
    expect((await diagnose()).about("policy")).toEqual([]);
    await writeFile(join(home.path, "policy.yaml"), "rules: []\n");
    expect((await diagnose()).about("policy")).toMatchObject([{ status: "note" }]);
  });

  test("compares the free space with the reserve, and shows what takes the space", async () => {
    await home.make();
    await mkdir(join(home.path, "sessions", "ses_1"), { recursive: true });
    await writeFile(join(home.path, "sessions", "ses_1", "out"), Buffer.alloc(2 * 1024 ** 2));
    const config = { env: { DROVER_HOME: home.path, DROVER__STORAGE__MINFREE: "999999999GiB" } };
    const { code, about } = await diagnose({ config });
    expect(code).toBe(1);
    expect(about("disk")).toMatchObject([
      { status: "broken", remedy: expect.stringContaining("drover prune") },
    ]);
    expect(about("usage").map(({ message }) => message)).toEqual([
      expect.stringContaining("raw logs of 1 sessions 2.0 MiB"),
      "ses_1: 2.0 MiB",
    ]);
  });

  test("notes that git is missing, but does not fail", async () => {
    await home.make();
    expect((await diagnose()).about("git")).toMatchObject([{ status: "ok" }]);
    const { code, about } = await diagnose({ settings: { serverEnvironment: { PATH: home.path } } });
    expect(code).toBe(0);
    expect(about("git")).toMatchObject([{ status: "note", remedy: expect.stringContaining("Install git") }]);
  });

  test("notes a missing agent program, but does not fail", async () => {
    await home.make();
    await writeFile(
      join(home.path, "drover.yaml"),
      "agents: {mine: {driver: acp, command: no-such-program}}\n",
    );
    const { code, about } = await diagnose();
    expect(code).toBe(0);
    expect(about("agent mine")).toMatchObject([
      { status: "note", message: "no-such-program is not installed" },
    ]);
  });
});
