import { type Browser, chromium, type LaunchOptions } from "playwright-core";
import { findChromium } from "./programs.ts";

/** The installed Chromium, headless, with a fresh profile. Callers need `test.skipIf(!findChromium())`. */
export async function launchBrowser(options: LaunchOptions = {}): Promise<Browser & AsyncDisposable> {
  const executablePath = findChromium();
  if (!executablePath) throw new Error("No Chromium is installed.");
  return chromium.launch({
    ...options,
    executablePath,
    // Root cannot use the sandbox; the other flags keep Chromium from contacting its vendor's hosts.
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
