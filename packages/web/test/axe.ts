import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { AxeResults } from "axe-core";
import type { Page } from "playwright-core";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** What axe finds serious or critical on the page as it stands. */
export async function seriousFindings(page: Page): Promise<string[]> {
  // A colour on its way to another is judged when it has arrived; what pulses for ever is no such thing.
  await page.evaluate(() => {
    const passing = document
      .getAnimations()
      .filter(({ effect }) => effect?.getComputedTiming().iterations !== Number.POSITIVE_INFINITY);
    // One whose element leaves meanwhile never finishes, and is none any more.
    return Promise.allSettled(passing.map(({ finished }) => finished)).then(() => undefined);
  });
  const results = await page.evaluate<AxeResults>(`${axe}; axe.run()`);
  return results.violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`);
}
