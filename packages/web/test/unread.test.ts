import type { Session } from "@drover/core";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { findChromium } from "../../../test/kit/programs.ts";
import { until } from "../../../test/kit/until.ts";
import { newSession, type RealVisit, sharedServer } from "./real-visit.ts";
import { recordNotifications, shownOn } from "./scenes.ts";
import { sharedBrowser } from "./shared-browser.ts";

/** Sends a prompt without the page, and waits for its turn to end. */
async function turn({ client }: RealVisit, name: string, content: string): Promise<Session> {
  await client.post(`/api/sessions/${name}/messages`, { content });
  return until(async () => {
    const session = await client.get<Session>(`/api/sessions/${name}`);
    return session.lastTurn && session;
  });
}

const row = (page: Page, title: string) =>
  page.getByRole("navigation", { name: "Sessions" }).getByRole("link", { name: new RegExp(title) });

describe.skipIf(!findChromium())("unread sessions on the page (needs chromium)", () => {
  const visitShared = sharedServer(sharedBrowser());

  test("a session that finished is marked in every list until someone looks at its end", async () => {
    await using visit = await visitShared();
    const { page, client, complaints } = visit;
    for (const name of ["left", "right"]) await newSession(visit, { name });
    await row(page, "left").waitFor();
    await turn(visit, "left", "say first");
    await row(page, "say first.*Unread").waitFor();
    await page.getByRole("heading", { name: "Unread" }).waitFor();
    await expect.poll(() => page.title()).toBe("(1) All sessions · Drover");
    const other = await page.context().newPage();
    await other.goto(page.url());
    await row(other, "Unread").waitFor();

    await page.bringToFront();
    await page.keyboard.press("u");
    await page.getByRole("log").getByText("first", { exact: true }).waitFor();
    await until(async () => !(await client.get<Session>("/api/sessions/left")).unread);
    await row(page, "Unread").waitFor({ state: "detached" });
    await row(other, "Unread").waitFor({ state: "detached" });
    await expect.poll(() => page.title()).toBe("say first · Drover");
    expect(complaints).toEqual([]);
  });

  test("a tab without the focus marks nothing as seen", async () => {
    await using visit = await visitShared();
    const { page, server, client } = visit;
    await recordNotifications(page);
    await newSession(visit, { name: "left" });
    await page.goto(`${server.url}/#/s/left`);
    await page.reload();
    await page.getByRole("log").waitFor();
    const marked: string[] = [];
    page.on("request", (request) => request.url().endsWith("/seen") && marked.push(request.url()));
    await turn(visit, "left", "say hello");
    await row(page, "Unread").waitFor();
    await expect.poll(() => page.title()).toBe("(1) say hello · Drover");
    // The page has drawn the unread session, so it would have marked it by now.
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
    expect(marked).toEqual([]);
    expect((await client.get<Session>("/api/sessions/left")).unread).toBe(true);
    await page.evaluate(() => {
      Object.assign(document, { hasFocus: () => true });
      dispatchEvent(new Event("focus"));
    });
    await row(page, "Unread").waitFor({ state: "detached" });
    await until(async () => !(await client.get<Session>("/api/sessions/left")).unread);
  });

  test("the list can be filtered by unread", async () => {
    await using visit = await visitShared();
    const { page } = visit;
    for (const name of ["left", "right"]) await newSession(visit, { name });
    await row(page, "right").waitFor();
    await turn(visit, "left", "say hello");
    await page.getByRole("button", { name: "Filters" }).click();
    await page.getByLabel("State").selectOption("Unread");
    await row(page, "right").waitFor({ state: "detached" });
    await row(page, "say hello").waitFor();
  });

  test("desktop notifications report turns that finished or failed, as configured", async () => {
    await using visit = await visitShared();
    const { page, server } = visit;
    await recordNotifications(page);
    for (const name of ["left", "right"]) await newSession(visit, { name });
    await page.goto(`${server.url}/#/settings`);
    await page.reload();
    await row(page, "right").waitFor();
    await turn(visit, "left", "say hello");
    await expect.poll(() => shownOn(page)).toEqual(["Demo finished | left: say hello"]);
    await page.getByLabel("A turn finished").uncheck();
    await turn(visit, "right", "say quiet");
    await row(page, "say quiet.*Unread").waitFor();
    await turn(visit, "right", "fail no luck");
    await expect.poll(async () => (await shownOn(page)).slice(1)).toEqual(["Demo failed | right: no luck"]);
    await page.reload();
    expect(await page.getByLabel("A turn finished").isChecked()).toBe(false);
    expect(await page.getByLabel("A turn failed").isChecked()).toBe(true);
  });
});
