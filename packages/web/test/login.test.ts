import { describe, expect, test } from "vitest";
import { findChromium } from "../../../test/kit/programs.ts";
import { FixtureSession } from "./fixture/session.ts";
import { sharedBrowser } from "./shared-browser.ts";
import { visitLogin } from "./visit.ts";

describe.skipIf(!findChromium())("the login page (needs chromium)", () => {
  const browser = sharedBrowser();

  test("a login link opens the sessions and leaves no code in the address", async () => {
    await using visit = await visitLogin(browser, "#open-sesame");
    const { page, server, complaints } = visit;
    await page.waitForURL(`${server.url}/`);
    await page.getByText("No sessions yet").waitFor();
    await page.goBack().catch(() => {});
    expect(page.url()).not.toContain("open-sesame");
    expect(complaints).toEqual([]);
  });

  test("a used code says what to do next, and the token still works", async () => {
    await using visit = await visitLogin(browser, "#used-long-ago");
    const { page, server } = visit;
    await page.getByText("Run drover for a new login link").waitFor();
    expect(page.url()).toBe(`${server.url}/login`);
    await page.getByLabel("Login code or token").fill(server.token);
    await page.getByRole("button", { name: "Log in" }).click();
    await page.getByText("No sessions yet").waitFor();
  });

  test("a whole link can be pasted, and a second link opened in the same tab works", async () => {
    await using visit = await visitLogin(browser, "");
    const { page, server } = visit;
    await page.getByLabel("Login code or token").fill(`${server.url}/login#open-sesame`);
    await page.getByRole("button", { name: "Log in" }).click();
    await page.waitForURL(`${server.url}/`);

    await page.context().clearCookies();
    await page.goto(`${server.url}/login`);
    server.codes.add("second");
    await page.goto(`${server.url}/login#second`);
    await page.waitForURL(`${server.url}/`);
  });

  test("a browser without access is sent to the login page, also when its access ends later", async () => {
    await using visit = await visitLogin(browser, "#open-sesame");
    const { page, server } = visit;
    await page.waitForURL(`${server.url}/`);
    await page.getByText("No sessions yet").waitFor();
    await page.context().clearCookies();
    await server.crash();
    await server.comeBack();
    await page.waitForURL(`${server.url}/login`);
    await page.goto(server.url);
    expect(page.url()).toBe(`${server.url}/login`);
  });

  test("a login that ends says so, and logging in again restores the page, the draft and the message", async () => {
    await using visit = await visitLogin(browser, "#open-sesame");
    const { page, server } = visit;
    await page.waitForURL(`${server.url}/`);
    const session = server.add(new FixtureSession());
    await page.goto(`${server.url}/#/s/brave-otter`);
    await page.getByLabel("Message").waitFor();
    await server.crash();
    await page.getByText("Reconnecting…").waitFor();
    await page.getByLabel("Message").fill("sent meanwhile");
    await page.getByLabel("Message").press("Enter");
    await page.getByLabel("Message").fill("half a thought");
    await page.context().clearCookies();
    await server.comeBack();
    await page.getByText("Your login has ended").waitFor();
    await page.getByLabel("Login code or token").fill(server.token);
    await page.getByRole("button", { name: "Log in" }).click();
    await page.waitForURL(`${server.url}/#/s/brave-otter`);
    await page.getByRole("log").getByText("sent meanwhile").waitFor();
    await expect.poll(() => page.getByLabel("Message").inputValue()).toBe("half a thought");
    expect(session.log.filter(({ type }) => type === "message")).toHaveLength(1);
  });

  test("an address opened before logging in is shown afterwards", async () => {
    await using visit = await visitLogin(browser, "");
    const { page, server } = visit;
    await page.goto(`${server.url}/#/inbox`);
    await page.getByLabel("Login code or token").fill(server.token);
    expect(page.url()).toBe(`${server.url}/login`);
    await page.getByRole("button", { name: "Log in" }).click();
    await page.getByText("You're all caught up").waitFor();
    expect(page.url()).toBe(`${server.url}/#/inbox`);

    await page.context().clearCookies();
    await server.crash();
    await server.comeBack();
    await page.waitForURL(`${server.url}/login`);
    server.codes.add("second");
    await page.getByLabel("Login code or token").fill("second");
    await page.getByRole("button", { name: "Log in" }).click();
    await page.waitForURL(`${server.url}/#/inbox`);
  });

  test("H6 the page creates a 256-bit key, stores it for its origin and sends it with every request", async () => {
    await using visit = await visitLogin(browser, "");
    const { page, server } = visit;
    const shown = new Map<string, string | undefined>();
    page.on("request", (request) => {
      const { pathname } = new URL(request.url());
      if (pathname.startsWith("/api/")) shown.set(pathname, request.headers()["x-drover-key"]);
    });
    await page.goto(`${server.url}/login#open-sesame`);
    await page.getByText("No sessions yet").waitFor();
    const [key = "", ...more] = server.keys;
    expect(more).toEqual([]);
    expect(key).toMatch(/^[0-9a-f]{64}$/);
    expect(await page.evaluate(() => localStorage.getItem("drover:key"))).toBe(key);
    shown.delete("/api/login");
    expect(shown.size).toBeGreaterThan(0);
    for (const [path, sent] of shown) expect(sent, path).toBe(key);
    expect(JSON.stringify(await page.context().cookies())).not.toContain(key);
  });

  test("H6 a browser that has the cookie but not the key is sent to the login page and back", async () => {
    await using visit = await visitLogin(browser, "#open-sesame");
    const { page, server } = visit;
    await page.getByText("No sessions yet").waitFor();
    await page.evaluate(() => localStorage.removeItem("drover:key"));
    await page.goto(`${server.url}/?again#/settings`);
    await page.waitForURL(`${server.url}/login`);
    await page.getByLabel("Login code or token").fill(server.token);
    await page.getByRole("button", { name: "Log in" }).click();
    await page.getByRole("heading", { name: "Settings" }).waitFor();

    // A key of another login, as when another home has used this port.
    await page.evaluate(() => localStorage.setItem("drover:key", "f".repeat(64)));
    await page.reload();
    await page.waitForURL(`${server.url}/login`);
    await page.getByText("Your login has ended").waitFor();
  });

  test("H6 tabs share a login: one on the login page continues when another logs in", async () => {
    await using visit = await visitLogin(browser, "");
    const { page, server } = visit;
    await page.getByText("Log in to continue.").waitFor();
    const other = await page.context().newPage();
    await other.goto(`${server.url}/login#open-sesame`);
    await other.getByText("No sessions yet").waitFor();
    await page.getByText("No sessions yet").waitFor();
  });

  test("a browser that stores nothing gets an explanation instead of an endless login", async () => {
    await using visit = await visitLogin(browser, "");
    const { page, server } = visit;
    await page.addInitScript(() => {
      Storage.prototype.setItem = () => {
        throw new DOMException("full", "QuotaExceededError");
      };
    });
    await page.goto(`${server.url}/login?again#open-sesame`);
    await page.getByText("Allow it, then log in again").waitFor();
    expect(new URL(page.url()).pathname).toBe("/login");
  });
});
