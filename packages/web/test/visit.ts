import type { ConsoleMessage, Page } from "playwright-core";
import { openPage, type PageOptions } from "../../../test/kit/page.ts";
import { FixtureServer } from "./fixture/server.ts";
import { type BrowserSource, browserOf } from "./shared-browser.ts";

export interface Visit extends AsyncDisposable {
  readonly server: FixtureServer;
  readonly page: Page;
  /** Console errors, and every foreign host the browser contacted. */
  readonly complaints: string[];
}

export const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

/** The focused card accepts keys. It does not in the moment after it replaced another one. */
export const cardListens = (page: Page) =>
  page.locator("[data-interaction]:focus:not([aria-disabled])").waitFor();

/**
 * Sends keys that belong together in one go: however busy the machine is, there is no pause between them that would
 * split a sequence.
 */
export const pressInOneGo = (page: Page, ...keys: string[]) =>
  Promise.all(keys.map((key) => page.keyboard.press(key)));

// A pulsing dot keeps the browser rendering while a test waits. A tour in test/e2e/page.test.ts has motion.
export const still = { reducedMotion: "reduce" } as const;
const viewport = { width: 1200, height: 800 };

/** A logged-in page with its own server. */
export async function visit(
  browser: BrowserSource,
  at = "",
  options: Pick<PageOptions, "ownClock"> = {},
): Promise<Visit> {
  const server = await FixtureServer.start();
  return open(browser, server, { path: `/${at}`, state: server.storageState(), ...options });
}

/** The login page, for a browser that has never logged in. */
export async function visitLogin(browser: BrowserSource, fragment: string): Promise<Visit> {
  return open(browser, await FixtureServer.start(), { path: `/login${fragment}` });
}

async function open(
  browser: BrowserSource,
  server: FixtureServer,
  { path, ...options }: PageOptions & { path: string },
): Promise<Visit> {
  const opened = await openPage(browserOf(browser), server.url, { ...still, viewport, ...options });
  const { page } = opened;
  const complaints: string[] = [];
  page.on("console", (message: ConsoleMessage) => {
    if (["error", "warning"].includes(message.type())) complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("request", (request) => {
    if (!request.url().startsWith(server.url)) complaints.push(`asked for ${request.url()}`);
  });
  await opened.goTo(`${server.url}${path}`);
  const close = async () => {
    await opened[Symbol.asyncDispose]();
    await server[Symbol.asyncDispose]();
  };
  return { server, page, complaints, [Symbol.asyncDispose]: close };
}
