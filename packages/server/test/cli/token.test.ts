// Which servers get the token. The servers here record what they receive.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { tempDir } from "../../../../test/kit/temp.ts";
import type { Settings } from "../../src/cli/cli.ts";
import { identify } from "../../src/process/identity.ts";
import { FakeServer, token } from "./fake-server.ts";
import { start } from "./run-cli.ts";

const homeToken = "the-home-token";

/** A home with a token and no server. */
async function newHome(): Promise<string> {
  const home = await tempDir("home-");
  onTestFinished(() => home.remove());
  await writeFile(join(home.path, "token"), `${homeToken}\n`);
  return home.path;
}

async function drover(home: string, args: string[], settings: Partial<Settings> = {}) {
  const cli = start(args, { home, settings });
  return { code: await cli.ended, stdout: cli.stdout(), stderr: cli.stderr() };
}

/** A program that is not a Drover server and records everything it receives. */
async function eavesdrop(answer: { status: number; location?: string } = { status: 200 }) {
  const received: string[] = [];
  const server = createServer((request, response) => {
    received.push(`${request.method} ${request.url} ${JSON.stringify(request.headers)}`);
    const { status, location } = answer;
    response.writeHead(status, location ? { location } : {}).end('{"sessions":[]}');
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return { received, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

/** Writes server.json as if this process served the home at that address. */
const nameServer = (home: string, about: { pid: number; url: string; startTime?: string }) =>
  writeFile(
    join(home, "server.json"),
    JSON.stringify({
      ...identify(about.pid),
      version: "0.1.0",
      startedAt: "2026-02-18T14:30:00.000Z",
      ...about,
    }),
  );

describe("a server that is not this home's own", () => {
  test.for([
    ["--server", ["ls", "--server"], {}],
    ["--server of run", ["run", "demo", "hello", "--server"], {}],
    ["--server of agents", ["agents", "--server"], {}],
    ["--server of diff", ["diff", "brave-otter", "--server"], {}],
    ["DROVER_URL", ["ls"], { byVariable: true }],
    ["DROVER_URL of drover alone", [], { byVariable: true }],
  ] as const)(
    "H9 is not sent the home's token when %s names it: exit 7, and what to do",
    async ([, args, how]) => {
      const home = await newHome();
      const { received, url } = await eavesdrop();
      const isByVariable = "byVariable" in how;
      const { code, stderr } = await drover(home, isByVariable ? [...args] : [...args, url], {
        ...(isByVariable ? { url } : {}),
      });
      expect({ code, received }).toEqual({ code: 7, received: [] });
      expect(stderr).toContain(`no token for ${url}`);
      expect(stderr).toContain("Set DROVER_TOKEN");
      expect(stderr).not.toContain(homeToken);
    },
  );

  test("H9 gets the token set for it, never the home's", async () => {
    const home = await newHome();
    const { received, url } = await eavesdrop();
    expect(await drover(home, ["ls", "--server", url], { token })).toMatchObject({ code: 0 });
    expect(received).toHaveLength(1);
    expect(received[0]).toContain(`Bearer ${token}`);
    expect(received[0]).not.toContain(homeToken);
  });

  test("H9 is refused with the address of the home's own server", async () => {
    const [home, elsewhere] = [await newHome(), await newHome()];
    await using own = await FakeServer.start(home);
    await using other = await FakeServer.start(elsewhere);
    const { code, stderr } = await drover(home, ["ls", "--server", other.url]);
    expect({ code, asked: other.asked }).toEqual({ code: 7, asked: [] });
    expect(stderr).toContain(`This home's own server is ${own.url}.`);
  });

  test("H9 is not reached by a redirect", async () => {
    const home = await newHome();
    const { received, url } = await eavesdrop();
    const own = await eavesdrop({ status: 307, location: `${url}/api/sessions` });
    await nameServer(home, { pid: process.pid, url: own.url });
    const { code, stderr } = await drover(home, ["ls"]);
    expect({ code, received }).toEqual({ code: 1, received: [] });
    expect(own.received[0]).toContain(`Bearer ${homeToken}`);
    expect(stderr).toContain("returned 307");
  });
});

describe("this home's own server", () => {
  test("H9 is recognized by its address", async () => {
    const home = await newHome();
    await using server = await FakeServer.start(home);
    for (const args of [
      ["ls", "--server", server.url],
      ["ls", "--server", `${server.url}/`],
    ]) {
      expect(await drover(home, args)).toMatchObject({ code: 0 });
    }
    expect(await drover(home, ["ls"], { url: server.url })).toMatchObject({ code: 0 });
  });

  test("H9 is not a program that listens at its address after it died", async () => {
    const home = await newHome();
    const { received, url } = await eavesdrop();
    await nameServer(home, { pid: process.pid, url, startTime: "1" });
    expect(await drover(home, ["ls"], { url })).toMatchObject({ code: 7 });
    expect(await drover(home, ["ls"])).toMatchObject({ code: 3 });
    expect(received).toEqual([]);
  });

  test.runIf(process.platform === "linux")(
    "H9 is not another program that listens on its port while its process is still there",
    async () => {
      const home = await newHome();
      const { received, url } = await eavesdrop();
      const ending = spawn("sleep", ["600"]);
      onTestFinished(() => void ending.kill());
      await nameServer(home, { pid: ending.pid ?? 0, url });
      const { code, stderr } = await drover(home, ["ls", "--server", url]);
      expect({ code, received }).toEqual({ code: 3, received: [] });
      expect(stderr).toContain(`No server answers at ${url}`);
    },
  );

  test("H9 is waited for when it restarts, even if named by its address", async () => {
    const home = await newHome();
    await using server = await FakeServer.start(home);
    const cli = start(["logs", "brave-otter", "-f", "--json", "--server", server.url], { home });
    server.append({ type: "notice", code: "X", message: "one", facts: {} });
    await cli.says("one");
    const { port } = new URL(server.url);
    await nameServer(home, { pid: process.pid, url: server.url, startTime: "1" });
    await server.kill();
    await cli.says("Lost the server");
    server.append({ type: "notice", code: "X", message: "two", facts: {} });
    await server.listen({}, Number(port));
    await cli.says("two");
    cli.interrupt();
    expect(await cli.ended).toBe(130);
  });
});
