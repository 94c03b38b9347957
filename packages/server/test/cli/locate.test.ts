import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { isAlive } from "../../../../test/kit/processes.ts";
import { FakeServer, token } from "./fake-server.ts";
import { anApproval, aSession } from "./fixtures.ts";
import { drover, serverFile, stubHome } from "./stub-home.ts";

describe("a command that finds no server", () => {
  test("starts one that outlives it, and continues", async () => {
    const home = await stubHome();
    const cli = drover(home, ["ls", "--json"]);
    expect(await cli.ended).toBe(0);
    expect(JSON.parse(cli.stdout()).sessions).toHaveLength(1);
    const { pid } = await serverFile(home);
    expect(isAlive(pid)).toBe(true);
    const again = drover(home, ["ls", "--json"]);
    expect(await again.ended).toBe(0);
    expect((await serverFile(home)).pid).toBe(pid);
  });

  test("keeps the login link out of the log, and leaves no other file behind", async () => {
    const home = await stubHome();
    await drover(home, ["ls"]).ended;
    expect(await readFile(join(home, "server.log"), "utf8")).not.toContain("login#");
    expect((await readdir(home)).sort()).toEqual(["server.json", "server.log", "started-with", "token"]);
  });

  test("with DROVER_NO_AUTOSTART=1 starts none, is exit 3 and says what to do", async () => {
    const home = await stubHome();
    const cli = drover(home, ["ls"], { autostart: false });
    expect(await cli.ended).toBe(3);
    expect(cli.stderr()).toContain("drover serve");
    expect(await readdir(home)).toEqual([]);
  });

  test("starts none inside a session, and says so", async () => {
    for (const args of [["ls"], []]) {
      const home = await stubHome();
      const cli = drover(home, args, { session: "ses_1" });
      expect(await cli.ended).toBe(3);
      expect(cli.stderr()).toContain("inside a session");
      expect(await readdir(home)).toEqual([]);
    }
  });

  test("passes on the messages of a server it starts, but not its log", async () => {
    const home = await stubHome();
    const cli = drover(home, ["ls", "--json"], { stub: "found damage" });
    expect(await cli.ended).toBe(0);
    expect(cli.stderr()).toBe("The database was damaged and is kept aside.\n");
  });

  test("says why when the server does not start", async () => {
    const home = await stubHome();
    const cli = drover(home, ["ls"], { stub: "refuses" });
    expect(await cli.ended).toBe(2);
    expect(cli.stderr()).toContain("unknown key prot; did you mean port?");
    expect(cli.stderr()).toContain(join(home, "server.log"));
  });

  test("uses the other server when two commands start one at the same time", async () => {
    const home = await stubHome();
    const cli = drover(home, ["ls", "--json"], { stub: "late" });
    await using _ = await FakeServer.start(home);
    expect(await cli.ended).toBe(0);
    expect(JSON.parse(cli.stdout()).sessions).toHaveLength(1);
  });

  test("ignores a server.json whose process id was reused", async () => {
    const home = await stubHome();
    await using server = await FakeServer.start(home);
    await server.kill();
    await server.listen({ startTime: "1" });
    const cli = drover(home, ["ls"], { autostart: false });
    expect(await cli.ended).toBe(3);
  });
});

describe("after the server was killed", () => {
  const startedWith = async (home: string) =>
    (JSON.parse(await readFile(join(home, "started-with"), "utf8")) as { args: string[] }).args;
  const killed = async (home: string, fields: object) => {
    await using server = await FakeServer.start(home);
    await server.kill();
    await server.listen({ startTime: "1", ...fields });
  };

  test.for([[["ls"]], [[]]])("drover %j starts it again with the options it had", async ([args = []]) => {
    const home = await stubHome();
    await killed(home, { options: { port: 4300, config: "/etc/my.yaml", stopAgents: true } });
    expect(await drover(home, args).ended).toBe(0);
    expect(await startedWith(home)).toEqual([
      ...["serve", "--json", "--port", "4300"],
      ...["--config", "/etc/my.yaml", "--stop-agents"],
    ]);
  });

  test.for([[{}], [{ options: "--port 1" }], [{ options: { port: "1", config: 5, stopAgents: "yes" } }]])(
    "options it cannot use are left out: %j",
    async ([fields = {}]) => {
      const home = await stubHome();
      await killed(home, fields);
      expect(await drover(home, ["ls"]).ended).toBe(0);
      expect(await startedWith(home)).toEqual(["serve", "--json"]);
    },
  );
});

describe("a server that a person names", () => {
  test("gets the token, --server takes precedence over DROVER_URL, and no server is started", async () => {
    const [home, elsewhere] = [await stubHome(), await stubHome()];
    await using server = await FakeServer.start(elsewhere);
    const named = drover(home, ["ls", "--server", server.url, "--json"], {
      url: "http://127.0.0.1:9",
      token,
    });
    expect(await named.ended).toBe(0);
    const byVariable = drover(home, ["ls", "--json"], { url: server.url, token });
    expect(await byVariable.ended).toBe(0);
    expect(await readdir(home)).toEqual([]);
  });

  test("is exit 3 at once if it does not answer", async () => {
    const home = await stubHome();
    const cli = drover(home, ["ls"], { url: "http://127.0.0.1:9", token });
    expect(await cli.ended).toBe(3);
    expect(cli.stderr()).toContain("No server answers at http://127.0.0.1:9");
  });

  test("is exit 7 with a wrong token and exit 2 with a wrong address", async () => {
    const home = await stubHome();
    await using server = await FakeServer.start(home);
    expect(await drover(home, ["ls"], { url: server.url, token: "wrong" }).ended).toBe(7);
    expect(await drover(home, ["ls", "--server", "localhost"], {}).ended).toBe(2);
  });

  test("is repeated in suggested commands", async () => {
    const home = await stubHome();
    await using server = await FakeServer.start(home);
    server.session = aSession({ openInteractions: 1 });
    server.interactions = [anApproval()];
    const cli = drover(home, ["show", "brave-otter", "--server", server.url]);
    expect(await cli.ended).toBe(0);
    expect(cli.stdout()).toContain(`drover permit allow ${anApproval().id} --server ${server.url}`);
  });
});

test("a server of another version is used, with one warning on standard error", async () => {
  const home = await stubHome();
  await using server = await FakeServer.start(home);
  await server.kill();
  await server.listen({ version: "0.2.0" });
  const cli = drover(home, ["show", "brave-otter", "--json"]);
  expect(await cli.ended).toBe(0);
  expect(cli.stderr()).toBe(
    "This is drover 0.1.0, but the server is 0.2.0; `drover down && drover serve` updates it.\n",
  );
});
