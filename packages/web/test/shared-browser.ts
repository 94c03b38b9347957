import type { Browser } from "playwright-core";
import { beforeAll } from "vitest";
import { buildWeb } from "../../../scripts/build-web.ts";
import { workerBrowser } from "../../../test/kit/worker-browser.ts";

/** A browser, or a function that returns it once it runs. */
export type BrowserSource = Browser | (() => Browser);

/** The browser for the tests of a suite, which start once the page is built. */
export function sharedBrowser(): () => Browser {
  let browser: Browser | undefined;
  beforeAll(async () => {
    await buildWeb();
    browser = await workerBrowser();
  });
  return () => {
    if (!browser) throw new Error("The browser runs only during tests.");
    return browser;
  };
}

export const browserOf = (source: BrowserSource): Browser =>
  typeof source === "function" ? source() : source;
