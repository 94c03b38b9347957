// The bytes that the real command writes to a real terminal, with colours on.
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { killAllOf } from "../../../../test/kit/processes.ts";
import { startServer } from "../../../../test/kit/server.ts";
import { type TempDir, tempDir } from "../../../../test/kit/temp.ts";
import { until } from "../../../../test/kit/until.ts";
import { FakeServer } from "./fake-server.ts";
import { anApproval, aQuestion, aSession, done, turnOf } from "./fixtures.ts";
import { allHostileWords, colours, poisoned, strays, unspelled } from "./hostile-words.ts";
import { startInPty } from "./pty.ts";

let home: TempDir;
let server: FakeServer;

beforeEach(async () => {
  home = await tempDir("home-");
  server = await FakeServer.start(join(home.path, ".drover"));
  server.session = poisoned(aSession({ state: "waiting_for_input", openInteractions: 2, model: "big" }));
  server.interactions = [poisoned(anApproval()), poisoned(aQuestion())];
  const text = { id: "itm_1", kind: "text", status: "complete", at: "", seq: 1, text: "words" };
  server.items = [poisoned(text)];
  server.routes["GET /api/sessions/:id/log"] = () => ({
    body: Buffer.concat([Buffer.from(allHostileWords), Buffer.from([0x9b, 0x32, 0x4a])]),
  });
  server.routes["GET /api/sessions/:id/diff"] = () => ({ body: `+${allHostileWords}\n` });
});

afterEach(async () => {
  await server.kill();
  await home.remove();
});

/** The text without colours. */
const read = (bytes: string) => bytes.replaceAll(colours, "").replaceAll("\r\u001b[K", "");

describe.runIf(process.platform === "linux")("in a terminal", { timeout: 120_000 }, () => {
  test.for(
    [
      ["ls"],
      ["ls", "--json"],
      ["show", "x"],
      ["permit"],
      ["logs", "x"],
      ["logs", "x", "--raw"],
      ["diff", "x"],
      ["wait", "x", "--no-wait"],
      ["config", "--config", "bad.yaml"],
      ["serve", "--config", "bad.yaml"],
    ].map((args) => ({ args, name: args.join(" ") })),
  )("H5 drover $name writes nothing but text and its own colours", async ({ args }) => {
    await writeFile(
      join(home.path, "bad.yaml"),
      JSON.stringify(poisoned({ server: { [allHostileWords]: "x" } })),
    );
    await using cli = startInPty(args, { home: home.path });
    await cli.ended;
    expect(strays(cli.bytes())).toEqual([]);
    expect(cli.bytes()).toContain("PAYLOAD");
  });

  test("H4 H5 an approval surrounded by hostile text is shown exactly, and exactly that is approved", async () => {
    const command = `npm test ${allHostileWords.replaceAll(/\p{Cs}/gu, "")}`;
    const asked = anApproval({ title: `Run${allHostileWords}`, input: { command } });
    server.session = aSession();
    server.interactions = [asked];
    await using cli = startInPty(["run", "demo", "x"], { home: home.path });
    await until(() => server.openStreams === 1, { what: "the stream is open" });
    server.append(...turnOf(...allHostileWords), { ...asked, type: "approval_required" });
    await cli.says("y allow once");
    const rows = read(cli.bytes()).split("\n");
    const first = rows.findIndex((row) => row.includes("command │"));
    const more = rows.slice(
      first + 1,
      rows.findIndex((row, index) => index > first && !/^ +┆ /.test(row)),
    );
    const value = [rows[first] ?? "", ...more].map((row) => row.replace(/^[^│┆]*[│┆] /, "")).join("");
    expect(unspelled(value)).toBe(command);
    const isApproved = () => server.asked.some(({ path }) => path.endsWith("/approve"));
    await until(() => {
      if (isApproved()) return true;
      cli.type("y");
      return false;
    });
    expect((await server.wasAsked("POST", /approve$/)).body).toMatchObject({ inputHash: asked.inputHash });
    server.append(done());
    expect(await cli.ended).toBe(0);
    expect(strays(cli.bytes())).toEqual([]);
    expect(cli.bytes()).toMatch(colours);
  });

  test("H5 a bug report with a server's text contains none of its control sequences", async () => {
    server.routes["GET /api/sessions"] = () => ({ body: `{"sessions":${allHostileWords}` });
    await using cli = startInPty(["ls"], { home: home.path });
    expect(await cli.ended).toBe(1);
    expect(strays(cli.bytes())).toEqual([]);
    expect(cli.bytes()).toContain("JSON");
  });
});

describe.runIf(process.platform === "linux")("with the real server and agent", { timeout: 180_000 }, () => {
  test("H4 H5 the demo agent's text and command are shown exactly, and the command runs once approved", async () => {
    await server.kill();
    const directory = await tempDir("home-");
    onTestFinished(async () => {
      await killAllOf(directory.path);
      await directory.remove();
    });
    await using _real = await startServer({ home: directory.path });
    const work = join(directory.path, "work");
    await mkdir(work);
    await writeFile(
      join(work, "prompt"),
      "say \u001b]52;c;c2F5\u0007said\nrun printf '\u001b]0;PAYLOAD\u0007' > title\n",
    );
    await using cli = startInPty(
      ["run", "demo", "--cwd", work, await readFile(join(work, "prompt"), "utf8")],
      {
        home: directory.path,
      },
    );
    await cli.says("y allow once");
    expect(read(cli.bytes())).toContain("│ printf '⟨U+001B⟩]0;PAYLOAD⟨U+0007⟩' > title\n");
    await until(async () => {
      cli.type("y");
      return (await readFile(join(work, "title"), "utf8").catch(() => "")) !== "";
    });
    expect(await cli.ended).toBe(0);
    expect(await readFile(join(work, "title"), "utf8")).toBe("\u001b]0;PAYLOAD\u0007");
    expect(strays(cli.bytes())).toEqual([]);
    expect(read(cli.bytes())).toContain("⟨U+001B⟩]52;c;c2F5⟨U+0007⟩said");
  });
});
