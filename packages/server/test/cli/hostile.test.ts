// Every command that prints text of others, on a terminal, with a server whose every string is hostile.
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { harmless } from "../../src/cli/terminal/harmless.ts";
import { identify } from "../../src/process/identity.ts";
import { done, turnOf } from "./fixtures.ts";
import { approvalId, asks, at, events, poison, questionId } from "./hostile-server.ts";
import { allHostileWords, colours, hostileWords, poisoned, strays } from "./hostile-words.ts";
import type { Started } from "./run-cli.ts";
import { pressUntil, suite } from "./suite.ts";

const t = suite();

beforeEach(() => poison(t.server));
const run = (args: readonly string[]): Started => t.drover(args, { terminal: true });

/** The bytes a terminal received. They must contain some of the hostile text. */
function expectHarmless(cli: Started): void {
  expect(strays(cli.stdout()), "standard output").toEqual([]);
  expect(strays(cli.stderr()), "standard error").toEqual([]);
  // No colours are on: whatever looks like one is not ours.
  expect(cli.stdout() + cli.stderr()).not.toMatch(colours);
}

/** The test's name must not contain control sequences either. */
const named = (args: readonly string[]) => ({ args, name: harmless(args.join(" ")).slice(0, 40) });

describe("a command on a terminal", () => {
  test.for(
    [
      ["ls"],
      ["ls", "--json"],
      ["show", "x"],
      ["show", "x", "--json"],
      ["permit"],
      ["permit", "--json"],
      ["permit", "allow", approvalId],
      ["permit", "deny", approvalId, "--json"],
      ["answer", questionId, "red"],
      ["answer", approvalId, "red"],
      ["permit", "allow", questionId],
      ["logs", "x"],
      ["logs", "x", "--json"],
      ["logs", "x", "--raw"],
      ["logs", "x", "--stream", "stderr"],
      ["diff", "x"],
      ["diff", "x", "--stat"],
      ["diff", "x", "--json"],
      ["agents"],
      ["agents", "--json"],
      ["conversations", "kit"],
      ["conversations", "kit", "--json"],
      ["adopt", "kit", "uuid-1"],
      ["adopt", "kit", `uuid-1${allHostileWords}`],
      ["fork", "x"],
      ["send", "x", "more"],
      ["send", "x", "more", "--steer"],
      ["interrupt", "x"],
      ["stop", "x"],
      ["resume", "x"],
      ["rm", "x"],
      ["run", "demo", "x", "--detach"],
      ["wait", "x", "--no-wait"],
      ["wait", "x", "--timeout", "50ms"],
      [],
      ["--json"],
      [`no-such-command${allHostileWords}`],
      ["ls", "--server", `http://${allHostileWords}`],
    ].map(named),
  )("H5 drover $name lets no control sequence through", async ({ args }) => {
    const cli = run(args);
    await cli.ended;
    expectHarmless(cli);
    expect(cli.stdout() + cli.stderr()).not.toBe("");
  });

  test.for(
    [
      ["run", "demo", "x"],
      ["run", "demo", "x", "--json"],
      ["send", "x", "more", "--wait"],
    ].map(named),
  )("H5 drover $name lets no control sequence of a whole turn through", async ({ args }) => {
    const cli = run(args);
    await t.streaming();
    t.server.append(
      ...events,
      done({ ok: false, ...poisoned({ reason: "error", error: { message: "It failed" } }) }),
    );
    expect(await cli.ended).toBe(1);
    expectHarmless(cli);
    expect(cli.stdout() + cli.stderr()).toContain("PAYLOAD");
  });

  test("H5 run --yes and run --no-wait show requests without control sequences", async () => {
    for (const flags of [["--yes"], ["--no-wait"]]) {
      const cli = run(["run", "demo", "x", ...flags]);
      await t.streaming();
      t.server.append(...turnOf("a"), { ...asks[0], type: "approval_required" });
      await cli.says("PAYLOAD");
      t.server.append(done());
      await cli.ended;
      expectHarmless(cli);
    }
  });

  test("H5 attach and its questions let no control sequence through", async () => {
    const cli = run(["attach", "x"]);
    await cli.says("y allow once");
    await pressUntil(cli, "n", () => cli.stderr().includes("Why?"));
    cli.type(`${"\u007f".repeat(99)}because \u001b[200~${allHostileWords}\u001b[201~\r`);
    await t.server.wasAsked("POST", /deny$/);
    await cli.says("a number to choose");
    t.server.append(...events, done());
    await pressUntil(cli, "1", () => t.server.asked.some(({ path }) => path.endsWith("/submit-answers")));
    await cli.says("Done in");
    cli.type("\u0015\u0004");
    await cli.ended;
    expectHarmless(cli);
  });

  test("H5 logs -f lets no control sequence through", async () => {
    t.server.append(...events);
    const cli = run(["logs", "x", "-f"]);
    await cli.says("It failed");
    cli.interrupt();
    await cli.ended;
    expectHarmless(cli);
  });

  test.for([
    ["a refusal", { status: 409, body: poisoned({ error: "No", code: "NEW", files: ["a"] }) }],
    ["an answer of another program", { status: 502, body: allHostileWords }],
    ["an answer that is no JSON", { status: 200, body: allHostileWords }],
    ["an answer without what belongs in it", { status: 200, body: poisoned({ unexpected: "x" }) }],
  ] as const)("H5 %s lets no control sequence through", async ([, reply]) => {
    for (const path of ["GET /api/sessions/:id", "DELETE /api/sessions/:id"])
      t.server.routes[path] = () => reply;
    for (const args of [
      ["show", "x"],
      ["show", "x", "--json"],
      ["rm", "x"],
    ]) {
      const cli = run(args);
      await cli.ended;
      expectHarmless(cli);
      expect(cli.stdout() + cli.stderr()).not.toBe("");
    }
  });

  test("H5 text from server.json contains no control sequence", async () => {
    const about = { url: t.server.url, version: allHostileWords, startedAt: at };
    await writeFile(join(t.home, "server.json"), JSON.stringify({ ...identify(process.pid), ...about }));
    for (const args of [["ls"], ["doctor"], ["serve", "--detach"]]) {
      const cli = run(args);
      await cli.ended;
      expectHarmless(cli);
    }
  });
});

describe("without a terminal", () => {
  test("an agent's text, raw log and diff are passed on unchanged", async () => {
    const cli = t.drover(["run", "demo", "x"]);
    await t.streaming();
    t.server.append(...turnOf(allHostileWords.replaceAll(/\p{Cs}/gu, "")), done());
    await cli.ended;
    expect(cli.stdout()).toBe(`${allHostileWords.replaceAll(/\p{Cs}/gu, "")}\n`);
    const diff = t.drover(["diff", "x"]);
    await diff.ended;
    expect(diff.stdout()).toContain("\n-a\rb\n");
    expect(diff.stdout()).toContain(hostileWords["OSC 52 (clipboard)"]);
  });

  test("Drover's own messages are harmless, too, since they may be shown later", async () => {
    for (const args of [
      ["ls"],
      ["show", "x"],
      ["permit"],
      ["wait", "x", "--no-wait"],
      ["conversations", "kit"],
    ]) {
      const cli = t.drover(args);
      await cli.ended;
      expectHarmless(cli);
    }
  });
});

test("H5 only the writer writes to a stream", async () => {
  const source = join(import.meta.dirname, "../../src");
  const inCli = (await readdir(join(source, "cli"), { recursive: true })).map((path) => `cli/${path}`);
  const writing = /\.write\(|\bprocess\s*\.\s*std(out|err)|\bconsole\b|\bWriteStream\b|\bwriteSync\b/;
  const writers: string[] = [];
  for (const path of ["serve.ts", ...inCli.filter((name) => name.endsWith(".ts"))]) {
    if (writing.test(await readFile(join(source, path), "utf8"))) writers.push(path);
  }
  expect(writers).toEqual(["cli/terminal/writer.ts"]);
  const main = await readFile(join(source, "main.ts"), "utf8");
  expect(main.match(/process\.std(out|err)\b.*/g)).toEqual([
    "process.stdout,",
    "process.stderr,",
    'process.stdout.on("error", (error: NodeJS.ErrnoException) => {',
  ]);
});
