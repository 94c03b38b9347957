// Managing a session of a real server by mouse and keyboard: the queue, the menu, the archive.
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { findChromium } from "../../../test/kit/programs.ts";
import { seriousFindings } from "./axe.ts";
import { newSession, type RealVisit, sharedServer } from "./real-visit.ts";
import { sharedBrowser } from "./shared-browser.ts";
import { cardListens, pressInOneGo } from "./visit.ts";

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

async function choose(page: Page, entry: string): Promise<void> {
  await button(page, "More").click();
  await page.getByRole("menuitem", { name: entry }).click();
}

describe.skipIf(!findChromium())("managing a session (needs chromium)", () => {
  const visitShared = sharedServer(sharedBrowser());

  async function openSession(visited: RealVisit, prompt: string): Promise<void> {
    const { name, id } = await newSession(visited, { name: "brave-otter", title: "Tidy up" });
    await visited.client.post(`/api/sessions/${id}/messages`, { content: prompt });
    await visited.page.goto(`${visited.server.url}/#/s/${name}`);
    await visited.page.getByRole("heading", { name: "Tidy up" }).waitFor();
  }

  const hasFocus = (page: Page, name: string) =>
    expect.poll(() => button(page, name).evaluate((one) => one === document.activeElement)).toBe(true);

  test("overlays and inline editors return the focus when they close", async () => {
    await using visited = await visitShared();
    const { page } = visited;
    await openSession(visited, "say hello");
    await choose(page, "What this agent can do");
    await page.getByRole("dialog", { name: "What demo can do" }).waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await hasFocus(page, "More");
    await choose(page, "Delete…");
    await page.getByRole("dialog", { name: /^Delete/ }).waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await hasFocus(page, "More");
    await choose(page, "Rename…");
    await page.getByLabel("Title").fill("Tidy up at once");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Tidy up at once" }).waitFor();
    await hasFocus(page, "More");
    await page.keyboard.press("Control+k");
    await page.getByRole("dialog", { name: "Command palette" }).waitFor();
    await page.keyboard.press("Escape");
    await hasFocus(page, "More");
  });

  test("arrows, Home, End and first letters move through a menu, where shortcuts are off", async () => {
    await using visited = await visitShared();
    const { page, complaints } = visited;
    await openSession(visited, "say hello");
    const focused = () => page.evaluate(() => document.activeElement?.textContent);
    await button(page, "More").press("Enter");
    await expect.poll(focused).toBe("Find in transcript");
    for (const [key, entry] of [
      ["End", "Delete…"],
      ["ArrowUp", "Archive"],
      ["Home", "Find in transcript"],
      ["w", "What this agent can do"],
    ] as const) {
      await page.keyboard.press(key);
      await expect.poll(focused, { message: key }).toBe(entry);
    }
    expect(await page.getByRole("dialog").count()).toBe(0);
    await page.keyboard.press("Escape");
    await hasFocus(page, "More");
    await page.setViewportSize({ width: 1200, height: 160 });
    await button(page, "More").click();
    const menu = await page.getByRole("menu").boundingBox();
    expect(menu && menu.y + menu.height).toBeLessThanOrEqual(160);
    expect(complaints).toEqual([]);
  });

  test("views, title and mode of a session can be reached with shortcuts and from the palette", async () => {
    await using visited = await visitShared();
    const { page, client } = visited;
    await openSession(visited, "say hello");
    for (const [key, view] of [
      ["c", "/changes"],
      ["l", "/log"],
      ["t", ""],
    ] as const) {
      await pressInOneGo(page, "g", key);
      await page.waitForURL((url) => url.hash === `#/s/brave-otter${view}`);
    }
    await page.keyboard.press("F2");
    await page.getByLabel("Title").fill("Tidied");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Tidied" }).waitFor();
    const command = async (name: string) => {
      await page.keyboard.press("Control+k");
      await page.keyboard.type(name);
      await page.keyboard.press("Enter");
    };
    await command("mode plan");
    const mode = async () =>
      (await client.get<{ permissionMode: string }>("/api/sessions/brave-otter")).permissionMode;
    await expect.poll(mode).toBe("plan");
    await command("show changes");
    await page.waitForURL((url) => url.hash === "#/s/brave-otter/changes");
    await command("rename session");
    await expect
      .poll(() => page.getByLabel("Title").evaluate((one) => one === document.activeElement))
      .toBe(true);
  });

  test("an answered question stays between the text before it and the text after it", async () => {
    await using visited = await visitShared();
    const { page } = visited;
    await openSession(visited, "say Something to begin with.\nask Which way? | Left | Right\nsay The end.");
    await page.getByRole("region", { name: "demo has a question" }).waitFor();
    await cardListens(page);
    await page.keyboard.press("2");
    await page.keyboard.press("Enter");
    await page.getByText(/^Done in/).waitFor();
    const order = async () => {
      const text = await page.getByRole("log").innerText();
      return ["Something to begin with.", "Which way?\nRight", "You chose: Right", "The end."].map((part) =>
        text.lastIndexOf(part),
      );
    };
    const inOrder = async () => {
      const places = await order();
      return places.every((place, index) => place > (places[index - 1] ?? -1));
    };
    await expect.poll(inOrder).toBe(true);
    await page.reload();
    await page.getByText("Answered by").waitFor();
    await expect.poll(inOrder).toBe(true);
  });

  test("L11 a queued message is edited with the keyboard; Escape leaves it unchanged", async () => {
    await using visited = await visitShared();
    const { page, client } = visited;
    await openSession(visited, "hang");
    const message = page.getByLabel("Message");
    await message.fill("say one");
    await message.press("Enter");
    await button(page, "Edit").click();
    await page.getByRole("region", { name: "Queue" }).getByLabel("Message").fill("say something else");
    await page.keyboard.press("Escape");
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe("say one");
    await button(page, "Edit").click();
    await page.getByRole("region", { name: "Queue" }).getByLabel("Message").fill("say two");
    await page.keyboard.press("Enter");
    const queued = async () =>
      (await client.get<{ messages: { content: string }[] }>("/api/sessions/brave-otter/queue")).messages;
    await expect.poll(queued).toMatchObject([{ content: "say two" }]);
    await page.keyboard.press("Control+.");
    await page.getByText("Queue paused · 1").waitFor();
    await page.getByRole("link", { name: /Tidy up.*Demo · brave-otter ?1 queued$/ }).waitFor();
  });

  test("the list scrolls to the session selected by keyboard, and touch users search from the menu", async () => {
    await using visited = await visitShared();
    const { page } = visited;
    for (let i = 0; i < 30; i++) await newSession(visited, { name: `other-${i}` });
    await openSession(visited, "say hello");
    const current = page.getByRole("navigation", { name: "Sessions" }).locator("a[aria-current=page]");
    for (let i = 29; i >= 4; i--) {
      await page.keyboard.press("j");
      await current.filter({ hasText: `other-${i}` }).waitFor();
    }
    const list = current.locator("xpath=ancestor::*[contains(@class, 'overflow-y-auto')]");
    const isInSight = async () => {
      const [row, box] = [await current.boundingBox(), await list.boundingBox()];
      return row && box && row.y + row.height <= box.y + box.height;
    };
    await expect.poll(isInSight).toBe(true);
    await page.setViewportSize({ width: 390, height: 780 });
    await choose(page, "Find in transcript");
    await page.getByRole("textbox", { name: "Find in transcript" }).waitFor();
  });

  test("an archived session says so, and is unarchived from the same menu", async () => {
    await using visited = await visitShared();
    const { page, server } = visited;
    await openSession(visited, "say hello");
    const row = page.getByRole("link", { name: /^Tidy up/ });
    await choose(page, "Archive");
    await page.waitForURL(`${server.url}/#/`);
    await expect.poll(() => row.count()).toBe(0);
    await page.goBack();
    await page.getByText(/^Archived · Demo/).waitFor();
    await choose(page, "Unarchive");
    await page.getByText(/^Demo · brave-otter · /).waitFor();
    await row.first().waitFor();
  });

  test("a session that is renamed elsewhere stays open under its new address", async () => {
    await using visited = await visitShared();
    await openSession(visited, "say hello");
    const { page, client, server } = visited;
    await page.getByLabel("Message", { exact: true }).fill("half a thought");
    await page.getByRole("link", { name: "Raw log" }).click();
    await client.patch("/api/sessions/brave-otter", { name: "bold-otter" });
    await page.waitForURL(`${server.url}/#/s/bold-otter/log`);
    await page.getByRole("link", { name: "Conversation" }).click();
    await page.getByText(/^Demo · bold-otter · /).waitFor();
    await expect.poll(() => page.getByLabel("Message", { exact: true }).inputValue()).toBe("half a thought");
    expect(visited.complaints).toEqual([]);
  });
});
