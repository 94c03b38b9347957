// The page in a real browser: what a person sees, what survives a server crash, and what another page can access.
import { once } from "node:events";
import { mkdirSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { Session } from "@drover/core";
import type { Browser, BrowserContext } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { buildWeb } from "../../scripts/build-web.ts";
import { root } from "../../scripts/root.ts";
import { findChromium } from "../kit/programs.ts";
import { until } from "../kit/until.ts";
import { workerBrowser } from "../kit/worker-browser.ts";
import { sharedRig } from "./shared-rig.ts";
import { openRig, openSession } from "./support.ts";
import { logIn, logInAnew, shownWords, wordsOf } from "./tab.ts";

/** Screenshots for people; no test reads them. */
const pictures = join(root, "test-results");

let browser: Browser;
beforeAll(async () => {
  if (!findChromium()) return;
  await buildWeb();
  mkdirSync(pictures, { recursive: true });
  browser = await workerBrowser();
});

/** A page of another origin on this machine, which a browser treats as the same site. */
async function serveElsewhere(): Promise<{ url: string } & AsyncDisposable> {
  const server = createServer((_request, response) =>
    response.writeHead(200, { "content-type": "text/html" }).end("<!doctype html><title>Elsewhere</title>"),
  ).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

describe.skipIf(!findChromium())("the page in a browser (needs chromium)", () => {
  /** For tests that neither stop the server nor count its sessions. */
  const shared = sharedRig({});

  test("D8 three clicks on visible text lead from the login link to a finished, approved tour", async () => {
    await using rig = await openRig();
    // With motion, as most people see it.
    await using tab = await logIn(browser, rig, { reducedMotion: "no-preference" });
    const { page } = tab;
    let clicks = 0;
    const click = async (words: string) => {
      await page.getByText(words, { exact: true }).filter({ visible: true }).click();
      clicks++;
    };
    await page.screenshot({ path: join(pictures, "welcome.png") });
    await click("Take the tour");
    await click("Start");
    await page.getByText("demo wants to run a command").waitFor();
    await page.screenshot({ path: join(pictures, "asked.png") });
    await click("Approve");
    await page.getByText(/^Done in/).waitFor();
    await page.screenshot({ path: join(pictures, "finished.png"), fullPage: true });
    expect(clicks).toBeLessThanOrEqual(6);

    await page
      .getByRole("log")
      .getByText(/That was the tour/)
      .waitFor();
    const { sessions } = await rig.client.get<{ sessions: Session[] }>("/api/sessions");
    expect(sessions).toMatchObject([
      { agent: "demo", state: "idle", cwd: join(rig.home, ".drover", "tour") },
    ]);
    const { interactions } = await rig.client.get<{ interactions: unknown[] }>("/api/interactions?state=all");
    expect(interactions).toMatchObject([{ resolution: "approved", by: expect.stringMatching(/^web:/) }]);
    expect(tab.complaints).toEqual([]);
  });

  test("D8 the page's policy blocks injected scripts and anything from another origin", async () => {
    await using tab = await logInAnew(browser, shared);
    const refused = await tab.page.evaluate(async () => {
      const directives: string[] = [];
      document.addEventListener("securitypolicyviolation", (event) =>
        directives.push(event.effectiveDirective),
      );
      const script = document.createElement("script");
      script.textContent = "document.title = 'taken over'";
      const image = new Image();
      image.src = "http://elsewhere.test/picture.png";
      const frame = document.createElement("iframe");
      frame.src = "http://elsewhere.test/";
      document.body.append(script, image, frame);
      await fetch("http://elsewhere.test/").catch(() => undefined);
      while (directives.length < 4) await new Promise((tick) => requestAnimationFrame(tick));
      return directives.sort();
    });
    expect(refused).toEqual(["connect-src", "frame-src", "img-src", "script-src-elem"]);
    expect(await tab.page.title()).toMatch(/· Drover$/);
  });

  test("S1 the page recovers on its own when the server is killed and restarted during a turn", async () => {
    await using rig = await openRig();
    await using tab = await logIn(browser, rig);
    const { page } = tab;
    await using session = await openSession(rig, "demo");
    const { name } = await session.get();
    await page.goto(`${rig.server.url}/#/s/${name}`);
    await page.getByLabel("Message").fill("slow 10\nthink first\nstream 400\nread .\nstream 50");
    await page.getByRole("button", { name: "Send" }).click();
    await page.getByText(/word50 /).waitFor();
    const { port } = rig.server;
    await rig.server.kill9();
    await page.getByText("Reconnecting…").waitFor();
    await page.getByText(/Retrying in \d+s|Retrying…/).waitFor();
    expect(await shownWords(page)).not.toContain("word400");
    // Another server stores the agent's output meanwhile, so the page has missed something however soon it reconnects.
    await rig.start();
    await until(() => session.follower.text().includes("word150 "));
    await rig.server.kill9();
    const caughtUp = page.getByText(/Caught up on \d+ events?\./).waitFor();
    await rig.start({}, ["--port", String(port)]);
    await caughtUp;

    await page.getByText(/^Done in/).waitFor();
    await until(() => session.all("done").length === 1);
    const spoken = wordsOf(session.follower.text());
    expect(spoken).toMatch(/word400 word1 .* word50$/);
    await expect.poll(() => shownWords(page)).toBe(spoken);
    await page.getByText("Reconnecting…").waitFor({ state: "hidden" });
  });

  test("D8 another page in the same browser can neither read nor write nor open a socket", async () => {
    await using tab = await logInAnew(browser, shared);
    await using session = await openSession(shared, "demo");
    await using elsewhere = await serveElsewhere();
    const page = await tab.page.context().newPage();
    const statuses: number[] = [];
    page.on("response", (response) => {
      if (response.url().startsWith(shared.server.url)) statuses.push(response.status());
    });
    await page.goto(elsewhere.url);
    const got = await page.evaluate(
      async ({ server, path }) => {
        const attempt = (url: string, init: RequestInit) =>
          fetch(`${server}${url}`, { credentials: "include", ...init }).then(
            async (response) => `${response.type}: ${await response.text()}`,
            () => "nothing",
          );
        const body = JSON.stringify({ content: "say stolen" });
        const socket = new WebSocket(`${server.replace("http", "ws")}/ws`);
        const opened = new Promise<string>((resolve) => {
          socket.onopen = () => resolve("opened");
          socket.onerror = () => resolve("nothing");
        });
        return {
          read: await attempt("/api/sessions", {}),
          readBlindly: await attempt("/api/sessions", { mode: "no-cors" }),
          write: await attempt(`${path}/messages`, { method: "POST", body }),
          writeBlindly: await attempt(`${path}/messages`, { method: "POST", body, mode: "no-cors" }),
          socket: await opened,
        };
      },
      { server: shared.server.url, path: session.path() },
    );
    expect(got).toEqual({
      read: "nothing",
      readBlindly: "opaque: ",
      write: "nothing",
      writeBlindly: "opaque: ",
      socket: "nothing",
    });
    // The browser sent its cookie, and the server refused; CORS would hide the response in any case.
    await expect.poll(() => statuses).toEqual([403, 403]);
    expect(await session.get()).toMatchObject({ state: "idle", lastSeq: 0 });
    await tab.page.reload();
    await tab.page.getByRole("button", { name: "New session" }).waitFor();
  });

  test("a link on another site opens its target for a person who is logged in, and the login for anyone else", async () => {
    await using tab = await logInAnew(browser, shared);
    await using session = await openSession(shared, "demo", { title: "Linked from elsewhere" });
    await using elsewhere = await serveElsewhere();
    const follow = async (context: BrowserContext) => {
      const page = await context.newPage();
      // With this host name a browser treats it as another site and sends no cookie.
      await page.goto(elsewhere.url.replace("127.0.0.1", "localhost"));
      await page.evaluate((address) => location.assign(address), `${shared.server.url}/#/s/${session.id}`);
      return page;
    };
    const known = await follow(tab.context);
    await known.getByRole("heading", { name: "Linked from elsewhere" }).waitFor();
    await using stranger = await browser.newContext();
    const asked = await follow(stranger);
    await asked.getByText("Log in to continue.").waitFor();
    expect(new URL(asked.url()).pathname).toBe("/login");
    expect(tab.complaints).toEqual([]);
  });

  test("D8 after a login the page loads, lists and streams, and after a logout every tab asks for a login again", async () => {
    await using tab = await logInAnew(browser, shared);
    const { page } = tab;
    await using session = await openSession(shared, "demo", { title: "Streams to the page" });
    await page
      .getByRole("navigation")
      .getByRole("link", { name: /Streams to the page/ })
      .click();
    await session.turn("stream 30");
    await page.getByText(/word30/).waitFor();
    const other = await tab.another("#/settings");
    await other.getByRole("button", { name: "Log out" }).click();
    for (const each of [page, other]) await each.waitForURL((url) => url.pathname === "/login");
    expect(await page.evaluate(() => localStorage.getItem("drover:key"))).toBe(null);
    expect(await tab.context.cookies()).toEqual([]);
  });
});
