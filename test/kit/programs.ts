import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

/** The path of the first of these programs that is installed. */
export function findProgram(...names: string[]): string | undefined {
  const directories = (process.env["PATH"] ?? "").split(delimiter).filter(Boolean);
  const candidates = names.flatMap((name) => directories.map((directory) => join(directory, name)));
  return candidates.find((path) => {
    try {
      accessSync(path, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

/** The browser that tests use, or undefined if none is installed; such tests are then skipped. */
export const findChromium = () =>
  // The headless shell has no windows or browser UI to draw: pages open in half the time.
  findProgram(
    "chromium-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
  );
export const findBubblewrap = () => findProgram("bwrap");
