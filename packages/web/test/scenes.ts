// Pages that several suites start with.
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { FixtureSession } from "./fixture/session.ts";
import type { BrowserSource } from "./shared-browser.ts";
import { button, type Visit, visit } from "./visit.ts";

/** The sessions in the sidebar. */
export const rows = (page: Page) => page.locator("nav li a[href^='#/s/']");
export const titles = async (page: Page) =>
  (await rows(page).allInnerTexts()).map((text) => text.split("\n")[0]).sort();

const shop = { id: "prj_shop", path: "/home/ada/shop", name: "Shop", trusted: true, env: [], setup: [] };
const inShop = {
  projectId: "prj_shop",
  cwd: "/home/ada/shop",
  workspace: { mode: "local", path: shop.path, projectDir: shop.path, confined: false },
} as const;

/** Three sessions in two projects: one working, one idle, one with another agent. */
export async function busyPage(browser: BrowserSource): Promise<Visit & { working: FixtureSession }> {
  const visited = await visit(browser);
  const { server, page } = visited;
  server.projects.push(shop);
  const working = server.add(new FixtureSession({ name: "cart", title: "Fix the cart", ...inShop }));
  working.begin("work");
  server.add(new FixtureSession({ name: "docs", title: "Write the docs", agent: "codex" }));
  server.add(new FixtureSession({ name: "prices", title: "Round the prices", ...inShop }));
  await page
    .getByRole("link", { name: /Round the prices/ })
    .first()
    .waitFor();
  return { ...visited, working };
}

/** The inbox of two sessions with running turns. */
export async function openInbox(
  browser: BrowserSource,
): Promise<Visit & { first: FixtureSession; second: FixtureSession }> {
  const visited = await visit(browser);
  const first = visited.server.add(new FixtureSession({ name: "brave-otter", title: "Fix the test" }));
  const second = visited.server.add(new FixtureSession({ name: "quick-hare" }));
  for (const session of [first, second]) session.begin("work");
  await visited.page.goto(`${visited.server.url}/#/inbox`);
  await visited.page.getByText("You're all caught up").waitFor();
  return { ...visited, first, second };
}

/** A page that is out of view and records its notifications. */
export async function openUnseen(browser: BrowserSource) {
  const visited = await openInbox(browser);
  const { page, server } = visited;
  await page.context().grantPermissions(["notifications"], { origin: server.url });
  await page.addInitScript(() => {
    const shown: string[] = [];
    Object.assign(window, { shown });
    Object.assign(document, { hasFocus: () => false });
    const Real = window.Notification;
    window.Notification = class extends Real {
      // Chromium's headless shell grants this to no page.
      static override get permission() {
        return "granted" as const;
      }
      constructor(title: string, options?: NotificationOptions) {
        super(title, options);
        shown.push(`${title}: ${options?.body}`);
      }
    };
  });
  await page.reload();
  await button(page, "Turn on").click();
  await button(page, "Turn on").waitFor({ state: "detached" });
  /** How many tabs know that they are in view. */
  const tabsInView = () => page.evaluate(async () => (await navigator.locks.query()).held?.length);
  await expect.poll(tabsInView).toBe(0);
  const shown = () => page.evaluate(() => (window as unknown as { shown: string[] }).shown);
  return { ...visited, tabsInView, shown };
}

/** Records notifications instead of showing them, on a page that is out of view. */
export const recordNotifications = (page: Page) =>
  page.addInitScript(() => {
    const shown: string[] = [];
    Object.assign(window, { shown });
    Object.assign(document, { hasFocus: () => false });
    localStorage.setItem("drover:notifications", "on");
    window.Notification = class extends EventTarget {
      static permission = "granted";
      static requestPermission = async () => "granted";
      onclick = null;
      constructor(title: string, options?: NotificationOptions) {
        super();
        shown.push(`${title} | ${options?.body}`);
      }
      close() {}
    } as unknown as typeof Notification;
  });

/** What was recorded: title and text of each. */
export const shownOn = (page: Page) => page.evaluate(() => (window as unknown as { shown: string[] }).shown);
