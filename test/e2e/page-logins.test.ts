// Logins in a real browser: what other ports of the host receive, and how a login ends.
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Browser } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { buildWeb } from "../../scripts/build-web.ts";
import { findChromium } from "../kit/programs.ts";
import { openSocket } from "../kit/socket.ts";
import { workerBrowser } from "../kit/worker-browser.ts";
import { openRig, openSession } from "./support.ts";
import { logIn } from "./tab.ts";

let browser: Browser;
beforeAll(async () => {
  if (!findChromium()) return;
  await buildWeb();
  browser = await workerBrowser();
});

/** A preview server such as an agent may start: it records the cookies it receives, and sets some itself. */
async function servePreview(ownCookies: readonly string[]) {
  const got: string[] = [];
  const server = createServer(({ headers }, response) => {
    if (headers.cookie) got.push(headers.cookie);
    response.writeHead(200, { "content-type": "text/html", "set-cookie": [...ownCookies] });
    response.end("<!doctype html><title>Preview</title>");
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    got,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

describe.skipIf(!findChromium())("a login (needs chromium)", () => {
  test("H6 a preview server on another port gets the cookie but no access, and its junk cookies lock no one out", async () => {
    await using rig = await openRig();
    await using tab = await logIn(browser, rig);
    const { url, port } = rig.server;
    await tab.page.getByRole("button", { name: "New session" }).waitFor();
    const paths = ["/api", "/api/", "/api/interactions", "/api/sessions", "/api/login", "/ws", "/assets"];
    await using preview = await servePreview(
      paths.map((path) => `drover_${port}=${"j".repeat(43)}; Path=${path}`),
    );
    const previewed = await tab.context.newPage();
    await previewed.goto(preview.url);
    await previewed.reload();
    const [cookie = ""] = preview.got;
    expect(cookie).toMatch(new RegExp(`drover_${port}=[\\w-]{43}`));

    const stolen = { cookie, origin: url };
    for (const [method, path] of [
      ["GET", "/api/sessions"],
      ["GET", "/api/events"],
      ["POST", "/api/login/codes"],
      ["DELETE", "/api/logins"],
      ["POST", "/api/logout"],
      ["GET", "/metrics"],
      ["GET", "/docs"],
    ]) {
      const answer = await fetch(`${url}${path}`, { ...(method ? { method } : {}), headers: stolen });
      expect([answer.status, (await answer.json()).code], path).toEqual([401, "UNAUTHENTICATED"]);
    }
    const socket = openSocket({ url, token: "" }, stolen, ["drover", `key.${"k".repeat(64)}`]);
    await expect(socket).rejects.toThrow("401");

    await using session = await openSession(rig, "demo", { title: "Still there" });
    await tab.page.reload();
    await tab.page
      .getByRole("navigation")
      .getByRole("link", { name: /Still there/ })
      .click();
    await session.turn("stream 5");
    await tab.page.getByText(/word5/).waitFor();
    expect(tab.complaints).toEqual([]);
  });

  test("H6 revoking a login sends its open page to the login screen at once, and affects no other browser", async () => {
    await using rig = await openRig();
    await using tab = await logIn(browser, rig);
    await tab.page.goto(`${rig.server.url}/#/settings`);
    await tab.page.getByText("This browser", { exact: true }).last().waitFor();
    const { logins } = await rig.client.get<{ logins: { id: string }[] }>("/api/logins");
    expect(logins).toHaveLength(1);
    await using other = await browser.newContext();
    const { login } = await rig.client.post<{ login: string }>("/api/login/codes");
    const otherPage = await other.newPage();
    await otherPage.goto(login);
    await otherPage.getByRole("button", { name: "New session" }).waitFor();

    await rig.client.delete(`/api/logins/${logins[0]?.id}`);
    await tab.page.waitForURL((url) => url.pathname === "/login");
    await tab.page.getByText("Your login has ended").waitFor();
    await otherPage.reload();
    await otherPage.getByRole("button", { name: "New session" }).waitFor();
  });

  test("H6 the page uses its key to fetch what a plain link cannot: raw logs and the API description", async () => {
    await using rig = await openRig();
    await using tab = await logIn(browser, rig);
    const { page } = tab;
    await using session = await openSession(rig, "demo", { name: "to-be-saved" });
    await session.turn("say kept for later");
    await page.goto(`${rig.server.url}/#/s/to-be-saved/log`);
    await page.getByRole("log").getByText("kept for later").first().waitFor();
    const saved = async (name: string) => {
      const [download] = await Promise.all([
        page.waitForEvent("download"),
        page.getByRole("button", { name }).click(),
      ]);
      return { name: download.suggestedFilename(), text: await readFile(await download.path(), "utf8") };
    };
    const log = await rig.client.ask<string>("GET", session.path("/log"));
    expect(await saved("Download all")).toEqual({ name: "to-be-saved.stdout.log", text: log.body });

    // A typed address is requested without a key.
    await page.goto(`${rig.server.url}/docs`);
    await page.waitForURL(`${rig.server.url}/#/docs`);
    await page.getByText("POST /api/sessions/{id}/messages").click();
    await page.getByText("clientMessageId").first().waitFor();
    const described = await saved("Download OpenAPI");
    expect(described.name).toBe("drover-openapi.json");
    expect(JSON.parse(described.text)).toMatchObject({ openapi: "3.1.0" });
    expect(tab.complaints).toEqual([]);
  });
});
