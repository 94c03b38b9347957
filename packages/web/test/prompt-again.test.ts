import type { Item, Queue, Session } from "@drover/core";
import { describe, expect, test } from "vitest";
import { findChromium } from "../../../test/kit/programs.ts";
import { until } from "../../../test/kit/until.ts";
import { newSession, sharedServer } from "./real-visit.ts";
import { sharedBrowser } from "./shared-browser.ts";
import { button } from "./visit.ts";

describe.skipIf(!findChromium())("a session on the page (needs chromium)", () => {
  const visitShared = sharedServer(sharedBrowser());

  test("a prompt can be edited and sent again; after an interrupt it runs before the queue", async () => {
    await using visit = await visitShared();
    const { page, server, client } = visit;
    await newSession(visit, { name: "left" });
    for (const content of ["hang", "say waiting"]) {
      await client.post("/api/sessions/left/messages", { content });
    }
    await page.goto(`${server.url}/#/s/left`);
    await button(page, "Interrupt").click();
    await page.getByText("Queue paused · 1").waitFor();
    await page.getByRole("article", { name: "You" }).hover();
    await button(page, "Edit and resend").first().click();
    const field = page.getByRole("form", { name: "Composer" }).getByLabel("Message");
    expect(await field.inputValue()).toBe("hang");
    expect(await field.evaluate((one) => one === document.activeElement)).toBe(true);
    await field.fill("say corrected");
    await button(page, "Send now").click();
    const prompts = await until(async () => {
      const { items } = await client.get<{ items: Item[] }>("/api/sessions/left/messages");
      const found = items.filter(({ kind }) => kind === "user").map(({ text }) => text);
      return found.length === 3 && found;
    });
    expect(prompts).toEqual(["hang", "say corrected", "say waiting"]);
  });

  test("screen readers announce requests of other sessions, but not those on the page", async () => {
    await using visit = await visitShared();
    const { page, server, client } = visit;
    for (const name of ["left", "right"]) await newSession(visit, { name });
    await page.goto(`${server.url}/#/s/left`);
    await page.getByRole("log").waitFor();
    const ask = async (name: string) => {
      await client.post(`/api/sessions/${name}/messages`, { content: "run true" });
      await until(async () => (await client.get<Session>(`/api/sessions/${name}`)).openInteractions === 1);
    };
    await ask("left");
    await page.getByRole("region", { name: "demo wants to run a command" }).waitFor();
    expect(await page.getByRole("status").getByText("in left").count()).toBe(0);
    await ask("right");
    await page.getByRole("status").getByText("demo wants to run a command in right").waitFor();
  });

  test("a prompt that hit a usage limit can be scheduled for its reset: planned on the server, shown, and cancelled", async () => {
    await using visit = await visitShared();
    const { page, server, client } = visit;
    await newSession(visit, { name: "left" });
    await client.post("/api/sessions/left/messages", { content: "limit 7200" });
    await page.goto(`${server.url}/#/s/left`);
    await page.getByText(/usage limit reached, resets at/).waitFor();
    await button(page, "Send when it resets").click();
    await page
      .getByRole("region", { name: "Queue" })
      .getByText(/^Sends at /)
      .waitFor();
    await button(page, "Retry").waitFor({ state: "detached" });
    const queued = async () => (await client.get<Queue>("/api/sessions/left/queue")).messages;
    const { lastTurn } = await client.get<Session>("/api/sessions/left");
    expect(await queued()).toMatchObject([{ content: "limit 7200", notBefore: lastTurn?.until }]);
    await button(page, "Remove").click();
    await button(page, "Retry").waitFor();
    expect(await queued()).toEqual([]);
  });
});
