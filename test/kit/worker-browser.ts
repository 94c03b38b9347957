// One browser for all test files of a worker: starting it, and compiling the page in it for the first time, costs as
// much processor time as a short test.
import type { Browser } from "playwright-core";
import { inject } from "vitest";
import { launchBrowser } from "./browser.ts";
import { kept } from "./kept.ts";

let running: Promise<Browser> | undefined;

/** The browser of this worker. It ends with the worker; tests close what they open in it. */
export async function workerBrowser(): Promise<Browser> {
  const browser = await running?.catch(() => undefined);
  if (browser?.isConnected()) return browser;
  running = launch();
  return running;
}

async function launch(): Promise<Browser> {
  // Not in the directories of the file that happens to be the first to need it.
  const directory = inject("browsers");
  const { TMPDIR } = process.env;
  process.env["TMPDIR"] = directory;
  try {
    const env = { ...process.env, HOME: directory };
    // Playwright's own handler would keep the worker from ending. A browser ends when its pipe to the worker closes.
    const browser = await launchBrowser({ env, handleSIGTERM: false });
    kept.children++;
    browser.once("disconnected", () => kept.children--);
    return browser;
  } finally {
    process.env["TMPDIR"] = TMPDIR;
  }
}
