// A person's browser, connected to a server of the end-to-end suites.
import type { Browser, BrowserContext, Page } from "playwright-core";
import { openPage, type PageOptions } from "../kit/page.ts";
import type { Rig } from "./support.ts";

export interface Tab extends AsyncDisposable {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Errors that the browser reported in any tab. */
  readonly complaints: readonly string[];
  /** Another tab of the same browser, with the same login. */
  another(address: string): Promise<Page>;
}

interface TabOptions extends Pick<PageOptions, "reducedMotion"> {
  /** Default: the link that the server printed. */
  readonly link?: string;
}

/** A new browser that has followed the server's login link. */
export async function logIn(
  browser: Browser,
  rig: Rig,
  // A pulsing dot keeps the browser rendering while a test waits.
  { link = rig.server.login, reducedMotion = "reduce" }: TabOptions = {},
): Promise<Tab> {
  const viewport = { width: 1280, height: 800 };
  const opened = await openPage(browser, rig.server.url, { viewport, reducedMotion });
  const { page } = opened;
  const context = page.context();
  const complaints: string[] = [];
  context.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
  context.on("weberror", (error) => complaints.push(String(error.error())));
  await opened.goTo(link);
  await page.waitForURL((url) => url.pathname === "/");
  return {
    page,
    context,
    complaints,
    another: async (address) => {
      const tab = await context.newPage();
      await tab.goto(`${rig.server.url}/${address}`);
      return tab;
    },
    [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose](),
  };
}

/** Like `logIn` with a new link, because the one that a server prints works only once. */
export async function logInAnew(browser: Browser, rig: Rig): Promise<Tab> {
  const { login } = await rig.client.post<{ login: string }>("/api/login/codes");
  return logIn(browser, rig, { link: login });
}

/** The agent's text as the page shows it, with whitespace normalized because it depends on the layout. */
export const wordsOf = (text: string): string => text.split(/\s+/).filter(Boolean).join(" ");

export const shownWords = async (page: Page): Promise<string> =>
  wordsOf((await page.locator('[role="log"] article:not([aria-label])').allInnerTexts()).join("\n"));
