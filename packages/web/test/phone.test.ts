// The page on a phone: targets are large enough to tap, and nothing covers them.
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { findChromium } from "../../../test/kit/programs.ts";
import { FixtureSession, newId } from "./fixture/session.ts";
import { sharedBrowser } from "./shared-browser.ts";
import { visit } from "./visit.ts";

const tall = { width: 390, height: 780 };
/** The same with a keyboard over half of it. */
const short = { width: 390, height: 400 };

/** Targets smaller than a fingertip. Links in a sentence are as tall as their line. */
const tooSmall = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>("button, summary, select, textarea, input, nav a, header a")]
      .map((element) => ({ element, box: (element.closest("label") ?? element).getBoundingClientRect() }))
      .filter(({ box }) => box.width > 1 && (box.width < 39.5 || box.height < 39.5))
      .map(({ element }) => element.getAttribute("aria-label") ?? element.textContent?.trim()),
  );

describe.skipIf(!findChromium())("on a phone (needs chromium)", () => {
  const browser = sharedBrowser();

  async function open(act: (session: FixtureSession) => void) {
    const visited = await visit(browser);
    await visited.page.setViewportSize(tall);
    const session = visited.server.add(new FixtureSession({ title: "Fix the flaky login test" }));
    session.begin("go");
    act(session);
    await visited.page.goto(`${visited.server.url}/#/s/brave-otter`);
    await visited.page.getByRole("heading", { name: "Fix the flaky login test" }).waitFor();
    return { ...visited, session };
  }

  const queueOf = (count: number) =>
    Array.from({ length: count }, (_, index) => ({
      messageId: newId("msg"),
      content: `Message ${index + 1}`,
      by: "web:fixture",
      at: new Date().toISOString(),
    }));

  function callTool(session: FixtureSession, toolCallId: string, parentToolCallId?: string): void {
    const call = { toolCallId, toolName: "t", kind: "read", title: `call ${toolCallId}` } as const;
    session.emit({ type: "tool_call_start", ...call, ...(parentToolCallId ? { parentToolCallId } : {}) });
    session.emit({ type: "tool_result", toolCallId, toolName: "t", status: "complete", result: "found" });
  }

  test("every tap target in a running session and in the list is large enough", async () => {
    await using visited = await open((session) => {
      session.say("```sh\nnpm test\n```");
      callTool(session, "c1");
      for (let step = 0; step < 14; step++) callTool(session, `c1-${step}`, "c1");
      session.emit({ type: "thinking_delta", itemId: newId("itm"), text: "Let me see." });
      session.ask("c2", { toolKind: "execute", input: { command: "npm test" } });
      session.question([{ id: "q", question: "Which?", options: [{ label: "one" }], multiSelect: false }]);
      session.emit({ type: "queue_update", paused: true, messages: queueOf(2) });
    });
    const { page, server } = visited;
    await page.getByRole("button", { name: "Show 2 earlier steps" }).waitFor();
    await page.getByText("Queue paused · 2").waitFor();
    expect(await tooSmall(page)).toEqual([]);
    await page.getByRole("button", { name: "More", exact: true }).click();
    await page.getByRole("menuitem", { name: "Delete…" }).waitFor();
    expect(await tooSmall(page)).toEqual([]);
    await page.goto(`${server.url}/#/`);
    await page.getByRole("button", { name: "Filters" }).click();
    expect(await tooSmall(page)).toEqual([]);
    await page.getByRole("button", { name: "New session" }).click();
    await page.getByText("uses ACP").waitFor();
    expect(await tooSmall(page)).toEqual([]);
  });

  test("a bar at the bottom links to the sessions, the inbox and a new session", async () => {
    await using visited = await open((session) => {
      session.ask("c1", { toolKind: "execute", input: { command: "npm test" } });
    });
    const { page, server } = visited;
    const bar = page.getByRole("navigation", { name: "Main" });
    expect(await bar.count()).toBe(0);
    await page.goto(`${server.url}/#/`);
    await bar.getByRole("link", { name: /^Inbox.*1 waiting$/ }).click();
    await page.getByRole("heading", { name: "Inbox · 1 waiting" }).waitFor();
    expect(await tooSmall(page)).toEqual([]);
    await bar.getByRole("button", { name: "New session" }).click();
    await page.getByLabel("Prompt").waitFor();
    await page.getByRole("button", { name: "Cancel" }).click();
    await bar.getByRole("link", { name: "Sessions" }).click();
    await page.waitForURL(`${server.url}/#/`);
  });

  test("a title is edited where there is room to read it", async () => {
    await using visited = await open(() => undefined);
    const { page } = visited;
    await page.getByRole("button", { name: "More", exact: true }).click();
    await page.getByRole("menuitem", { name: "Rename…" }).click();
    const field = page.getByRole("textbox", { name: "Title" });
    expect((await field.boundingBox())?.width).toBeGreaterThan(150);
    await field.press("Escape");
    // The focus returns to where it was.
    await expect.poll(() => page.evaluate(() => document.activeElement?.ariaLabel)).toBe("More");
  });

  test("the keyboard never covers the field it types into, however long the queue is", async () => {
    await using visited = await open((session) =>
      session.emit({ type: "queue_update", paused: false, messages: queueOf(30) }),
    );
    const { page } = visited;
    await page.getByText("Queued · 30").waitFor();
    await page.setViewportSize(short);
    await expect.poll(() => page.evaluate(() => innerHeight)).toBe(short.height);
    const end = async () => {
      const composer = await page.getByRole("form", { name: "Composer" }).boundingBox();
      return composer && composer.y + composer.height;
    };
    await expect.poll(end).toBeLessThanOrEqual(short.height);
  });

  test("notifications are not offered, because they need a service worker there", async () => {
    await using visited = await open(() => undefined);
    const { page, server } = visited;
    await page.addInitScript(() => {
      const userAgent = navigator.userAgent.replace("X11; Linux x86_64", "Linux; Android 10; K");
      Object.defineProperty(navigator, "userAgent", { get: () => userAgent });
    });
    await page.goto(`${server.url}/#/settings`);
    await page.reload();
    await page
      .getByText("Not available here. Browsers show notifications only on HTTPS and localhost")
      .waitFor();
    await page.goto(`${server.url}/#/inbox`);
    await page.getByText("You're all caught up").waitFor();
    expect(await page.getByRole("button", { name: "Turn on" }).count()).toBe(0);
  });

  test("tapping a card's head opens it, even where its actions would appear", async () => {
    await using visited = await open((session) => {
      callTool(session, "c1");
      session.end();
    });
    const { page } = visited;
    const head = page.getByRole("button", { name: "call c1" });
    for (const expanded of ["true", "false"]) {
      const box = await head.boundingBox();
      if (!box) throw new Error("It is not on the page.");
      // Taps the card wherever it has moved to; fails if anything covers it.
      await head.click({ position: { x: box.width - 12, y: box.height / 2 } });
      await expect.poll(() => head.getAttribute("aria-expanded")).toBe(expanded);
    }
  });
});
