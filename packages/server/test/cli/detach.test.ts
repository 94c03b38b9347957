import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { isAlive } from "../../../../test/kit/processes.ts";
import { drover, serverFile, stubHome } from "./stub-home.ts";

describe("serve --detach, drover without a command, and down", () => {
  test("serve --detach prints the login link when the server is listening", async () => {
    const home = await stubHome();
    await writeFile(join(home, "my.yaml"), "");
    const cli = drover(home, ["serve", "--detach", "--port", "0", "--config", "my.yaml", "--stop-agents"]);
    expect(await cli.ended).toBe(0);
    const { url } = await serverFile(home);
    expect(cli.stdout()).toBe(`${url}/login#CODE\n`);
    const { args } = JSON.parse(await readFile(join(home, "started-with"), "utf8")) as { args: string[] };
    const config = join(home, "my.yaml");
    expect(args).toEqual(["serve", "--json", "--port", "0", "--config", config, "--stop-agents"]);
  });

  test("serve --detach --json prints the listening line; a second one is exit 3 and names the first", async () => {
    const home = await stubHome();
    const first = drover(home, ["serve", "--detach", "--json"]);
    expect(await first.ended).toBe(0);
    const { pid, url } = await serverFile(home);
    expect(JSON.parse(first.stdout())).toMatchObject({ event: "listening", pid, url });
    const second = drover(home, ["serve", "--detach"]);
    expect(await second.ended).toBe(3);
    expect(second.stderr()).toContain(`pid ${pid}, ${url}`);
  });

  test("drover without a command starts a server if needed and prints a login link", async () => {
    const home = await stubHome();
    const first = drover(home, []);
    expect(await first.ended).toBe(0);
    const { url } = await serverFile(home);
    expect(first.stdout()).toBe(`${url}/login#ANOTHER\n`);
    const second = drover(home, ["--json"]);
    expect(await second.ended).toBe(0);
    expect(JSON.parse(second.stdout())).toEqual({ login: `${url}/login#ANOTHER` });
    expect((await serverFile(home)).url).toBe(url);
  });

  test("down stops the server and waits for it, and agents only with --stop-agents", async () => {
    const home = await stubHome();
    for (const [args, stopAgents] of [
      [["down"], false],
      [["down", "--stop-agents"], true],
    ] as const) {
      await drover(home, ["serve", "--detach"]).ended;
      const { pid } = await serverFile(home);
      const cli = drover(home, [...args]);
      expect(await cli.ended).toBe(0);
      expect(isAlive(pid)).toBe(false);
      expect(JSON.parse(await readFile(join(home, "ended-with"), "utf8"))).toEqual({ stopAgents });
    }
  });

  test("down --stop-agents fails if the server ends before its agents do", async () => {
    const home = await stubHome();
    await drover(home, ["serve", "--detach"], { stub: "leaves agents" }).ended;
    const cli = drover(home, ["down", "--stop-agents"]);
    expect(await cli.ended).toBe(1);
    expect(cli.stderr()).toContain("before all of its agents did");
  });

  test("down without a server succeeds, so that `drover down && drover serve` always works", async () => {
    const home = await stubHome();
    const cli = drover(home, ["down", "--json"]);
    expect(await cli.ended).toBe(0);
    expect(JSON.parse(cli.stdout())).toEqual({ stopped: false });
  });
});
