import type { Queue, Session } from "@drover/core";
import { describe, expect, test } from "vitest";
import { findChromium } from "../../../test/kit/programs.ts";
import { until } from "../../../test/kit/until.ts";
import { seriousFindings } from "./axe.ts";
import { newSession, type RealVisit, repositoryWith, sharedServer, write } from "./real-visit.ts";
import { sharedBrowser } from "./shared-browser.ts";
import { button } from "./visit.ts";

const sendTo = ({ client }: RealVisit, name: string, content: string) =>
  client.post(`/api/sessions/${name}/messages`, { content });
const queueOf = async ({ client }: RealVisit, name: string) =>
  (await client.get<Queue>(`/api/sessions/${name}/queue`)).messages.map(({ content }) => content);

describe.skipIf(!findChromium())("undo on the page (needs chromium)", () => {
  const visitShared = sharedServer(sharedBrowser());

  test("an archived session is restored with the button or a key", async () => {
    await using visit = await visitShared();
    const { page, server, client, complaints } = visit;
    await newSession(visit, { name: "left" });
    await page.goto(`${server.url}/#/s/left`);
    const isArchived = async () => (await client.get<Session>("/api/sessions/left")).archived;
    let isChecked = false;
    for (const undo of [() => button(page, "Undo").click(), () => page.keyboard.press("Control+z")]) {
      await button(page, "More").click();
      await page.getByRole("menuitem", { name: "Archive" }).click();
      await page.getByRole("status").getByText("Archived left").waitFor();
      expect(await isArchived()).toBe(true);
      if (!isChecked) expect(await seriousFindings(page)).toEqual([]);
      isChecked = true;
      await undo();
      await until(async () => !(await isArchived()));
      await page.getByText("Archived left").waitFor({ state: "detached" });
      await page.waitForURL(/#\/s\/left$/);
    }
    expect(complaints).toEqual([]);
  });

  test("a message removed from the queue returns to its place, and the queue stays paused", async () => {
    await using visit = await visitShared();
    const { page, server, client } = visit;
    await newSession(visit, { name: "left" });
    await sendTo(visit, "left", "hang");
    for (const content of ["say one", "say two", "say three"]) await sendTo(visit, "left", content);
    await page.goto(`${server.url}/#/s/left`);
    await button(page, "Interrupt").click();
    await page.getByText("Queue paused · 3").waitFor();
    await button(page, "Remove").nth(1).click();
    await page.getByText("Queue paused · 2").waitFor();
    await button(page, "Undo").click();
    await page.getByText("Queue paused · 3").waitFor();
    expect(await queueOf(visit, "left")).toEqual(["say one", "say two", "say three"]);
    expect((await client.get<Session>("/api/sessions/left")).queuePaused).toBe(true);
  });

  test("discarded comments are restored", async () => {
    await using visit = await visitShared();
    const { page, server, work } = visit;
    await repositoryWith(work, { "a.txt": "one\n" });
    await write(work, { "a.txt": "two\n" });
    await newSession(visit, { name: "left" });
    await page.goto(`${server.url}/#/s/left/changes`);
    await page.getByText("two", { exact: true }).first().hover();
    await page
      .getByRole("button", { name: /^Comment on/ })
      .last()
      .click({ force: true });
    await page.keyboard.type("why?");
    await button(page, "Discard comment").click();
    await page.getByText("why?").waitFor({ state: "detached" });
    await page.getByRole("status").getByText("1 comment discarded").waitFor();
    await button(page, "Undo").click();
    await button(page, "Send 1 comment").waitFor();
  });

  test("the offer ends after a while, but not while the pointer rests on it", async () => {
    await using visit = await visitShared({ ownClock: true });
    const { page, server } = visit;
    await newSession(visit, { name: "left" });
    await page.clock.install();
    await page.goto(`${server.url}/#/s/left`);
    await button(page, "More").click();
    await page.getByRole("menuitem", { name: "Archive" }).click();
    const toast = page.getByText("Archived left");
    await toast.hover();
    await page.clock.runFor(20_000);
    expect(await toast.count()).toBe(1);
    await page.mouse.move(0, 0);
    await page.clock.runFor(9_000);
    await toast.waitFor({ state: "detached" });
  });
});
