import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { AxeResults, RunOptions } from "axe-core";
import type { Page } from "playwright-core";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** The rules that depend on the theme. The others see the same elements in both themes. */
const colourRules = ["color-contrast", "link-in-text-block"];

/** What axe finds serious or critical on the page, or in the dialog over it: everything in the light theme, and colours in the dark one. */
export async function seriousFindings(page: Page): Promise<string[]> {
  await page.emulateMedia({ colorScheme: "light" });
  const light = await findingsOf(page, {});
  await page.emulateMedia({ colorScheme: "dark" });
  const dark = await findingsOf(page, { runOnly: colourRules });
  await page.emulateMedia({ colorScheme: null });
  return [...light, ...dark.map((finding) => `in dark, ${finding}`)];
}

async function findingsOf(page: Page, options: RunOptions): Promise<string[]> {
  // Wait for running transitions, so that axe sees their final colours. Endless animations are left alone.
  await page.evaluate(() => {
    const passing = document
      .getAnimations()
      .filter(({ effect }) => effect?.getComputedTiming().iterations !== Number.POSITIVE_INFINITY);
    // An animation whose element is removed never finishes; it is cancelled.
    return Promise.allSettled(passing.map(({ finished }) => finished)).then(() => undefined);
  });
  const scope = 'document.querySelector("dialog[open]") ?? document';
  const run = `axe.run(${scope}, ${JSON.stringify({ resultTypes: ["violations"], ...options })})`;
  const results = await page.evaluate<AxeResults>(`"axe" in window || (() => {${axe}})(); ${run}`);
  return results.violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`);
}
