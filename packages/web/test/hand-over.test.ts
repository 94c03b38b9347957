import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { findChromium } from "../../../test/kit/programs.ts";
import { until } from "../../../test/kit/until.ts";
import { FixtureSession } from "./fixture/session.ts";
import { sharedBrowser } from "./shared-browser.ts";
import { visit } from "./visit.ts";

/** How long a card that replaced another ignores input. */
const inputDelayMs = 350;

/** Stops the page's clock: from here on it advances only when the test says so. */
const stopTime = (page: Page) => page.clock.pauseAt(Date.now() + 60_000);

/** Waits for something while the page's clock advances only as much as rendering needs. */
const waitUntilDrawn = (page: Page, isDrawn: () => Promise<boolean>) =>
  until(async () => {
    await page.clock.runFor(4);
    return isDrawn();
  });

/** Lets the input delay of the current card pass. */
async function waitOutInputDelay(page: Page): Promise<void> {
  await page.clock.runFor(inputDelayMs);
  await page.locator("[data-interaction]:not([aria-disabled])").waitFor();
  await page.clock.resume();
}

const command = (page: Page, text: string) =>
  page.getByRole("region", { name: "demo wants to run a command" }).filter({ hasText: text });

describe.skipIf(!findChromium())("one card after another (needs chromium)", () => {
  const browser = sharedBrowser();

  async function open(at: string) {
    const visited = await visit(browser, "", { ownClock: true });
    const session = visited.server.add(new FixtureSession());
    session.begin("go on");
    const ask = (id: string) => session.ask(id, { toolKind: "execute", input: { command: `make ${id}` } });
    const answers = () => visited.server.frames.filter(({ type }) => /approve|deny/.test(type));
    await visited.page.clock.install();
    await visited.page.goto(`${visited.server.url}/${at}`);
    await visited.page.reload();
    await visited.page.getByRole("navigation").getByText("brave-otter").waitFor();
    return { ...visited, session, ask, answers };
  }

  test.each(["#/s/brave-otter", "#/inbox"])(
    "a key pressed twice on %s answers the first card only",
    async (at) => {
      await using visited = await open(at);
      const { page, ask, answers } = visited;
      const first = ask("one");
      ask("two");
      await command(page, "make one").focus();
      await command(page, "make two").waitFor();
      await stopTime(page);
      await page.keyboard.press("a");
      await waitUntilDrawn(page, async () => (await command(page, "make one").count()) === 0);
      await page.keyboard.press("a");
      await page.keyboard.press("y");
      // A moment later the same key applies to the new card.
      await waitOutInputDelay(page);
      expect(answers()).toMatchObject([{ toolCallId: first.id }]);
      await page.keyboard.press("n");
      await expect.poll(() => answers().map(({ type }) => type)).toEqual(["session:approve", "session:deny"]);
    },
  );

  test("a key meant for a card that was settled elsewhere does not answer the next one", async () => {
    await using visited = await open("#/s/brave-otter");
    const { page, session, ask, answers } = visited;
    const first = ask("one");
    await command(page, "make one").focus();
    await stopTime(page);
    session.resolve(first, { resolution: "approved", by: "cli" });
    ask("two");
    await waitUntilDrawn(page, () => command(page, "make two").isVisible());
    await page.keyboard.press("a");
    await waitOutInputDelay(page);
    expect(answers()).toEqual([]);
    await command(page, "make two").focus();
    await page.keyboard.press("a");
    await expect.poll(() => answers().length).toBe(1);
  });

  test("a double click answers only the first card, whatever moves under the pointer", async () => {
    await using visited = await open("#/s/brave-otter");
    const { page, ask, answers } = visited;
    const first = ask("one");
    const approve = (text: string) =>
      command(page, text).getByRole("button", { name: "Approve", exact: true });
    await approve("make one").waitFor();
    await stopTime(page);
    await approve("make one").click();
    await waitUntilDrawn(page, async () => (await command(page, "make one").count()) === 0);
    ask("two");
    await waitUntilDrawn(page, () => approve("make two").isVisible());
    await approve("make two").evaluate((button: HTMLElement) => button.click());
    await waitOutInputDelay(page);
    expect(answers()).toMatchObject([{ toolCallId: first.id }]);
    await approve("make two").click();
    await expect.poll(() => answers().length).toBe(2);
    expect(visited.complaints).toEqual([]);
  });

  test("the first card can be answered at once", async () => {
    await using visited = await open("#/s/brave-otter");
    const { page, ask, answers } = visited;
    ask("one");
    await command(page, "make one").focus();
    await page.keyboard.press("y");
    await expect.poll(() => answers().length).toBe(1);
  });

  test("keys reach the first card when nothing has focus, and the heading gets focus after the last", async () => {
    await using visited = await open("#/inbox");
    const { page, session, ask } = visited;
    const listening = page.locator("[data-interaction][data-listens]");
    const focused = () => page.evaluate(() => document.activeElement?.tagName);
    ask("one");
    ask("two");
    await command(page, "make two").waitFor();
    await page.evaluate(() => (document.activeElement as HTMLElement).blur());
    expect(await focused()).toBe("BODY");
    await listening.getByText("$ make one").waitFor();
    await page.keyboard.press("a");
    await listening.getByText("$ make two").waitFor();
    await page.keyboard.press("n");
    await page.getByText("Denied by you").waitFor();
    await expect.poll(focused).toBe("H1");
    ask("three");
    await listening.getByText("$ make three").waitFor();
    expect(session.resolved.map(({ resolution }) => resolution)).toEqual(["approved", "denied"]);
  });

  test("letters typed into a reason that is no longer needed answer nothing and open nothing", async () => {
    await using visited = await open("#/s/brave-otter");
    const { page, session, ask, answers } = visited;
    const first = ask("one");
    await page.evaluate(() =>
      addEventListener("keydown", ({ timeStamp }) => Object.assign(window, { wroteAt: timeStamp }), true),
    );
    await command(page, "make one").getByRole("button", { name: "Deny with reason…" }).click();
    await page.keyboard.type("bec");
    session.resolve(first, { resolution: "approved", by: "cli" });
    ask("two");
    await command(page, "make two").waitFor();
    // Letters at typing speed, however slow the machine is.
    for (const letter of "ause any change") {
      await page.evaluate((key) => {
        const { wroteAt } = window as unknown as { wroteAt: number };
        const event = new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true });
        Object.defineProperty(event, "timeStamp", { value: wroteAt + 60 });
        document.activeElement?.dispatchEvent(event);
      }, letter);
    }
    expect(answers()).toEqual([]);
    expect(await page.getByRole("dialog").count()).toBe(0);
    // After a pause, keys are shortcuts again.
    await expect
      .poll(
        async () => {
          await command(page, "make two").focus();
          await page.keyboard.press("y");
          return answers().length;
        },
        { interval: 1_500 },
      )
      .toBe(1);
  });
});
