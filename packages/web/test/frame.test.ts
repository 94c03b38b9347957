import { describe, expect, test } from "vitest";
import { findChromium } from "../../../test/kit/programs.ts";
import { until } from "../../../test/kit/until.ts";
import { seriousFindings } from "./axe.ts";
import { lookFindings } from "./look.ts";
import { busyPage, titles } from "./scenes.ts";
import { sharedBrowser } from "./shared-browser.ts";
import { button, pressInOneGo, visit } from "./visit.ts";

describe.skipIf(!findChromium())("the app frame (needs chromium)", () => {
  const browser = sharedBrowser();

  test("going back also closes whatever is open over the page", async () => {
    await using visited = await busyPage(browser);
    const { page, server } = visited;
    await page.goto(`${server.url}/#/inbox`);
    await page.getByRole("heading", { name: "Inbox" }).waitFor();
    await page.goto(`${server.url}/#/s/cart`);
    await page.getByRole("heading", { name: "Fix the cart" }).waitFor();
    for (const key of ["c", "?", "Control+k"]) {
      await page.keyboard.press(key);
      await page.getByRole("dialog").waitFor();
      await page.goBack();
      await page.getByRole("heading", { name: "Inbox" }).waitFor();
      await expect.poll(() => page.getByRole("dialog").count()).toBe(0);
      await page.goForward();
      await page.getByRole("heading", { name: "Fix the cart" }).waitFor();
    }
    expect(visited.complaints).toEqual([]);
  });

  test("a new session shows which agents are not ready, why, and what makes them ready", async () => {
    await using visited = await visit(browser);
    const { page, server, complaints } = visited;
    await button(page, "New session").click();
    await expect.poll(() => page.getByLabel("Working directory").inputValue()).toBe("/home/ada");
    await page.getByText("1 more agent isn't ready").click();
    await page.getByText("is not installed: claude not found.").waitFor();
    await page.getByText("drover agents add claude").waitFor();
    await page.getByText("Never ask").click();
    await page.getByText("Does everything without asking").waitFor();
    await page.getByText("Model and earlier conversations").click();
    await page.getByLabel("Model").fill("small");
    await page.getByLabel("Prompt").fill("tour");
    await button(page, "Start").click();
    await page.getByRole("log").getByText("tour", { exact: true }).first().waitFor();
    const created = server.frames.find(({ type }) => type === "session:create");
    expect(created).toMatchObject({
      agent: "demo",
      cwd: "/home/ada",
      permissionMode: "never",
      model: "small",
    });
    expect(complaints).toEqual([]);
  });

  test("the new-session dialog links an agent that is not installed to where it can be installed", async () => {
    await using visited = await visit(browser);
    const { page } = visited;
    await button(page, "New session").click();
    await page.getByText("1 more agent isn't ready").click();
    await page.getByRole("link", { name: "Install agents" }).click();
    await page.getByRole("button", { name: "Install Claude Code" }).waitFor();
    await page.getByRole("dialog").waitFor({ state: "detached" });
  });

  test("the new-session dialog asks only for what the agent supports", async () => {
    await using visited = await visit(browser);
    const { page, server } = visited;
    await button(page, "New session").click();
    await page.getByLabel("Agent", { exact: true }).selectOption("scribe");
    const mode = (name: string) => page.getByRole("radio", { name, exact: true });
    await expect.poll(() => mode("Plan").isChecked()).toBe(true);
    expect(await mode("Ask").isDisabled()).toBe(true);
    expect(await mode("Never ask").isEnabled()).toBe(true);
    expect(await page.getByText("earlier conversations").count()).toBe(0);
    await page.getByLabel("Prompt").fill("write");
    await button(page, "Start").click();
    await page.getByRole("log").getByText("write", { exact: true }).first().waitFor();
    const created = server.frames.find(({ type }) => type === "session:create");
    expect(created).toMatchObject({ agent: "scribe", permissionMode: "plan" });
  });

  test("everything can be reached with the keyboard alone, and no shortcut fires while typing", async () => {
    await using visited = await busyPage(browser);
    const { page, server } = visited;
    const press = (...keys: string[]) =>
      keys.reduce((before, key) => before.then(() => page.keyboard.press(key)), Promise.resolve());
    await press("?");
    await page.getByRole("heading", { name: "Keyboard shortcuts" }).waitFor();
    await page.getByText("Approve for this session").waitFor();
    await pressInOneGo(page, "g", "i");
    expect(page.url()).toBe(`${server.url}/`);
    await press("Escape");
    await pressInOneGo(page, "g", "i");
    await page.getByText("You're all caught up").waitFor();
    await press("Control+k");
    await page.keyboard.type("fxcart");
    await press("Enter");
    await page.waitForURL(/#\/s\/cart$/);
    await page.getByLabel("Message").waitFor();
    await press("m");
    await page.keyboard.type("c?jk g i");
    expect(await page.getByLabel("Message").inputValue()).toBe("c?jk g i");
    expect(await page.getByRole("dialog").count()).toBe(0);
    expect(page.url()).toMatch(/#\/s\/cart$/);
    await press("Escape", "/");
    await page.keyboard.type("docs");
    await expect.poll(() => titles(page)).toEqual(["Write the docs"]);
    await press("Escape", "c");
    await page.getByLabel("Prompt").waitFor();
    await page.keyboard.type("tour");
    await expect.poll(() => page.getByRole("dialog").getByLabel("Agent").inputValue()).toBe("demo");
    await press("Control+Enter");
    await page.waitForURL(/#\/s\/quick-hare/);
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await press("j");
    await page.waitForURL(/#\/s\/(cart|docs|prices)$/);
  });

  test("a link skips the sidebar", async () => {
    await using visited = await visit(browser, "#/settings");
    const { page, server } = visited;
    await page.getByRole("heading", { name: "Settings" }).waitFor();
    await page.keyboard.press("Tab");
    await page.getByRole("link", { name: "Skip to content" }).waitFor();
    await page.keyboard.press("Enter");
    await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe("MAIN");
    expect(page.url()).toBe(`${server.url}/#/settings`);
  });

  test("the connection status shows the next retry, what was caught up on, and that the server has changed", async () => {
    await using visited = await busyPage(browser);
    const { page, server, working } = visited;
    await page.goto(`${server.url}/#/s/cart`);
    await page.getByLabel("Message").waitFor();
    const places = () =>
      page.locator("main h1, main [role=log], main form, nav").evaluateAll((all) =>
        all.map((one) => {
          const { x, y, width, height } = one.getBoundingClientRect();
          return { x, y, width, height };
        }),
      );
    const before = await places();
    expect(before.length).toBeGreaterThan(3);
    await server.crash();
    await page.getByText("Reconnecting…").waitFor();
    expect(await places(), "the banner moves nothing").toEqual(before);
    await page.getByText(/Retrying in \d+s|Retrying…/).waitFor();
    const itemId = working.say("one ");
    working.say("two", itemId);
    // Shown for a moment only.
    const shown = Promise.all(
      ["Reconnected.", "Caught up on 2 events."].map((text) => page.getByText(text).waitFor()),
    );
    await server.comeBack();
    await shown;
    await page.getByText("Reconnected.").waitFor({ state: "detached" });
    await server.crash();
    server.version = "0.2.0";
    await server.comeBack();
    await page.getByText("Drover was updated to 0.2.0.").waitFor();
    await Promise.all([page.waitForEvent("load"), button(page, "Reload").click()]);
    await page.getByText("one two").waitFor();
    expect(await page.getByText("Drover was updated").count()).toBe(0);
  });

  test("a chosen theme survives reloads, applies to every tab, and is set before the first paint", async () => {
    await using visited = await visit(browser);
    const { page, server } = visited;
    await page.emulateMedia({ colorScheme: "light" });
    const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const light = await background();
    const other = await page.context().newPage();
    await other.goto(server.url);
    await button(page, "Theme: System").click();
    await button(page, "Theme: Light").click();
    await button(page, "Theme: Dark").waitFor();
    await button(other, "Theme: Dark").waitFor();
    const dark = await background();
    expect(dark).not.toBe(light);
    // The page's script never loads, so this is what is painted before it.
    await page.route(/assets\/index-.*\.js$/, (route) => route.abort());
    await page.reload();
    expect(await background()).toBe(dark);
  });

  test("at phone width nothing is cut off sideways, and every page links back to the list", async () => {
    await using visited = await busyPage(browser);
    const { page, server, working } = visited;
    await page.setViewportSize({ width: 390, height: 780 });
    working.ask("c1", { toolKind: "execute", input: { command: `make ${"x".repeat(300)}` } });
    const fits = () =>
      page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth);
    for (const path of ["inbox", "agents", "projects", "settings", "doctor", "s/cart", "nowhere"]) {
      await page.goto(`${server.url}/#/${path}`);
      const back = page.getByRole("link", { name: "All sessions" }).filter({ visible: true }).first();
      await back.waitFor();
      expect(await fits(), path).toBe(true);
      if (path === "s/cart") expect(await lookFindings(page)).toEqual([]);
      await back.click();
      await page.getByLabel("Filter sessions").waitFor();
      expect(await fits(), "the list").toBe(true);
    }
    await button(page, "New session").click();
    await page.getByLabel("Prompt").waitFor();
    expect(await fits(), "new session").toBe(true);
  });

  test("no part of the frame has serious accessibility findings", async () => {
    await using visited = await busyPage(browser);
    const { page, server, working, complaints } = visited;
    working.ask("c1", { toolKind: "execute", input: { command: "make && ls | wc > $HOME/a # why" } });
    working.ask("c2", { toolKind: "plan", input: { plan: "# One\n\n- two" } });
    working.question([
      { id: "q1", question: "Which?", options: [{ label: "a", description: "b" }], multiSelect: true },
    ]);
    const expectAccessible = async (what: string) =>
      expect([...(await seriousFindings(page)), ...(await lookFindings(page))], what).toEqual([]);
    await page.getByText("Waiting for you").first().waitFor();
    await expectAccessible("home");
    await page.goto(`${server.url}/#/inbox`);
    await page.getByText("demo has a question").waitFor();
    await expectAccessible("inbox");
    await page.goto(`${server.url}/#/s/cart`);
    await page.getByLabel("Message").waitFor();
    await expectAccessible("session");
    await page.keyboard.press("Control+k");
    await page.getByText("prices · Demo · shop", { exact: true }).waitFor();
    await expectAccessible("palette");
    await page.keyboard.press("Escape");
    await page.keyboard.press("?");
    await page.getByRole("heading", { name: "Keyboard shortcuts" }).waitFor();
    await expectAccessible("keys");
    await page.keyboard.press("Escape");
    await page.keyboard.press("c");
    await page.getByText("1 more agent isn't ready").click();
    await expectAccessible("new session");
    await server.crash();
    await page.keyboard.press("Escape");
    await page.getByText("Reconnecting…").waitFor();
    await expectAccessible("offline");
    await until(() => complaints.length > 0);
    // The browser itself logs the failed connection; nothing else may be logged.
    expect(complaints.filter((text) => !/ERR_CONNECTION|WebSocket connection/.test(text))).toEqual([]);
  });
});
