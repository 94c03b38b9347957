import { type Browser, chromium } from "playwright-core";
import { findChromium } from "./programs.ts";

/** The installed Chromium without a window, in a profile of its own. `test.skipIf(!findChromium())` where it is used. */
export async function launchBrowser(): Promise<Browser & AsyncDisposable> {
  const executablePath = findChromium();
  if (!executablePath) throw new Error("No Chromium is installed.");
  return chromium.launch({
    executablePath,
    // Root has no sandbox to offer; the rest keeps Chromium from asking for its vendor's hosts.
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });
}
