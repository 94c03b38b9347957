import type { BrowserContextOptions, ConsoleMessage, Page } from "playwright-core";
import { FixtureServer } from "./fixture/server.ts";
import { type BrowserSource, browserOf } from "./shared-browser.ts";

export interface Visit extends AsyncDisposable {
  readonly server: FixtureServer;
  readonly page: Page;
  /** Everything the browser complained about, and every host but ours it was made to ask. */
  readonly complaints: string[];
}

export const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

/** The card that has the focus listens: not so in the moment in which it took the place of another one. */
export const cardListens = (page: Page) =>
  page.locator("[data-interaction]:focus:not([aria-disabled])").waitFor();

/**
 * Keys that mean something together, sent together: however busy the machine is, there is no pause between them that
 * would make two keys of a sequence.
 */
export const pressInOneGo = (page: Page, ...keys: string[]) =>
  Promise.all(keys.map((key) => page.keyboard.press(key)));

/** A logged-in page with a server of its own. */
export async function visit(browser: BrowserSource, at = ""): Promise<Visit> {
  const server = await FixtureServer.start();
  const visited = await open(browser, server, { storageState: server.storageState() });
  await visited.page.goto(`${server.url}/${at}`);
  return visited;
}

/** The login page, as somebody sees it who has never logged in. */
export async function visitLogin(browser: BrowserSource, fragment: string): Promise<Visit> {
  const server = await FixtureServer.start();
  const visited = await open(browser, server);
  await visited.page.goto(`${server.url}/login${fragment}`);
  return visited;
}

async function open(
  browser: BrowserSource,
  server: FixtureServer,
  options: BrowserContextOptions = {},
): Promise<Visit> {
  const context = await browserOf(browser).newContext({ viewport: { width: 1200, height: 800 }, ...options });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on("console", (message: ConsoleMessage) => {
    if (["error", "warning"].includes(message.type())) complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("request", (request) => {
    if (!request.url().startsWith(server.url)) complaints.push(`asked for ${request.url()}`);
  });
  const close = async () => {
    await context.close();
    await server[Symbol.asyncDispose]();
  };
  return { server, page, complaints, [Symbol.asyncDispose]: close };
}
