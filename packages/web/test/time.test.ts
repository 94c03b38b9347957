import { describe, expect, test } from "vitest";
import { findChromium } from "../../../test/kit/programs.ts";
import { until } from "../../../test/kit/until.ts";
import { FixtureSession } from "./fixture/session.ts";
import { sharedBrowser } from "./shared-browser.ts";
import { visit } from "./visit.ts";

const minute = 60_000;

/** The request that a frame makes or answers. */
const requestOf = (payload: string | Buffer): string => JSON.parse(String(payload)).requestId ?? "";

describe.skipIf(!findChromium())("time and the page (needs chromium)", () => {
  const browser = sharedBrowser();

  /** A page whose clock the test controls. */
  async function open(now: number) {
    const visited = await visit(browser, "", { ownClock: true });
    const session = visited.server.add(new FixtureSession());
    session.begin("go on");
    session.say("before");
    const unanswered = new Set<string>();
    visited.page.on("websocket", (socket) => {
      socket.on("framesent", ({ payload }) => unanswered.add(requestOf(payload)));
      socket.on("framereceived", ({ payload }) => unanswered.delete(requestOf(payload)));
      socket.on("close", () => unanswered.clear());
    });
    await visited.page.clock.install({ time: now });
    await visited.page.goto(`${visited.server.url}/#/s/brave-otter`);
    await visited.page.reload();
    await visited.page.getByText("before").waitFor();
    return { ...visited, session, unanswered };
  }

  test("a streaming turn rerenders neither the header and its tabs nor the composer", async () => {
    await using visited = await visit(browser);
    const { page, server } = visited;
    const session = server.add(new FixtureSession());
    session.begin("go on");
    const itemId = session.say("word-0 ");
    await page.goto(`${server.url}/#/s/brave-otter`);
    await page.getByText("word-0").waitFor();
    // The list of agents, which brings the agent's name, rerenders the header when it arrives.
    await page
      .getByRole("main")
      .getByText(/^Demo · /)
      .waitFor();
    // The tabs build their addresses, and the composer and the queue read the draft, on every render.
    await page.evaluate(() => {
      const drawn = { tabs: 0, composer: 0 };
      const encode = window.encodeURIComponent;
      window.encodeURIComponent = (text) => {
        if (text === "brave-otter") drawn.tabs++;
        return encode(text);
      };
      const read = Storage.prototype.getItem;
      Storage.prototype.getItem = function (key) {
        if (key.startsWith("drover:draft:")) drawn.composer++;
        return read.call(this, key);
      };
      Object.assign(window, { drawn });
    });
    const drawn = () => page.evaluate(() => (window as unknown as { drawn: object }).drawn);
    const stream = async (from: number, to: number) => {
      for (let word = from; word <= to; word++) {
        session.say(`word-${word} `, itemId);
        await page.getByText(`word-${word} `).waitFor();
      }
      return drawn();
    };
    // Count from the first word that rerenders nothing: until then the page may still be catching up.
    let first = 0;
    await until(async () => {
      await page.evaluate(() => {
        Object.assign((window as unknown as { drawn: object }).drawn, { tabs: 0, composer: 0 });
      });
      return Object.values(await stream(++first, first)).every((count) => count === 0);
    });
    expect(await stream(first + 1, first + 20)).toEqual({ tabs: 0, composer: 0 });
    // The counters work: a letter rerenders the composer, and another state all of it.
    await page.getByLabel("Message").fill("a");
    session.end();
    await page.getByRole("main").getByText("Idle").waitFor();
    expect(await drawn()).toEqual({ tabs: expect.any(Number), composer: expect.any(Number) });
    expect(Math.min(...Object.values(await drawn()))).toBeGreaterThan(0);
  });

  test("a connection that died while the machine slept is detected when it wakes", async () => {
    await using visited = await open(Date.now());
    const { page, server, session } = visited;
    server.fallSilent();
    session.say("after the pause");
    // Shown for a moment only.
    const shown = page.getByText("Reconnected.").waitFor();
    await page.clock.fastForward(30 * minute);
    await page.clock.runFor(11_000);
    await page.getByText("after the pause").waitFor();
    await shown;
    expect(visited.complaints).toEqual([]);
  });

  test("a connection that died silently is detected after half a minute", async () => {
    await using visited = await open(Date.now());
    const { page, server, session } = visited;
    server.fallSilent();
    session.say("still here");
    for (let seconds = 0; seconds < 32; seconds++) await page.clock.runFor(1_000);
    await page.getByText("still here").waitFor();
    expect(visited.complaints).toEqual([]);
  });

  test("a server that stays down is reported, with the command that starts it", async () => {
    await using visited = await open(Date.now());
    const { page, server } = visited;
    await server.crash();
    await page.getByText("Reconnecting…").waitFor();
    for (let seconds = 0; seconds < 32; seconds++) await page.clock.runFor(1_000);
    await page.getByText(/^Drover unreachable since \d/).waitFor();
    await page.getByRole("status").getByText("drover serve").waitFor();
    await page.getByRole("navigation").getByText("brave-otter").first().waitFor();
    await server.comeBack();
    await page.getByRole("button", { name: "Try now" }).click();
    await page.getByText("Drover unreachable").waitFor({ state: "detached" });
  });

  test("a connection that is merely quiet is left alone", async () => {
    await using visited = await open(Date.now());
    const { page, server, session, unanswered } = visited;
    const opened = () => server.frames.filter(({ type }) => type === "session:open").length;
    const before = opened();
    for (let seconds = 0; seconds < 90; seconds += 5) {
      await page.clock.runFor(5_000);
      // The page's clock runs ahead of ours: an answer in flight is not late.
      await expect.poll(() => unanswered.size).toBe(0);
      await expect.poll(() => page.getByText("Reconnecting…").count()).toBe(0);
    }
    session.say("at last");
    await page.getByText("at last").waitFor();
    expect(opened()).toBe(before);
  });

  test.each([
    ["three hours fast", 180 * minute],
    ["a day slow", -1440 * minute],
  ])("a clock that is %s affects neither durations nor the time left to answer", async (_, skew) => {
    await using visited = await open(Date.now() + skew);
    const { page, session } = visited;
    session.ask("c1", { toolKind: "execute", input: { command: "make" } });
    const card = page.getByRole("region", { name: "demo wants to run a command" });
    await card.getByText(/^9m \d+s left$/).waitFor();
    await page.getByText(/^\d+s$/).waitFor();
    await page.getByRole("navigation").getByText("now", { exact: true }).waitFor();
    expect(visited.complaints).toEqual([]);
  });
});
