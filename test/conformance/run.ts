// `npm run conformance [-- WORD …]`: real vendors' agents, installed outside the checkout, against scripted models on
// loopback. Words choose the checks whose title has them. The last line is `N passed, N failed`.
import { agents } from "./agents.ts";
import { checksOf } from "./checks.ts";
import { claudeDriverChecks } from "./claude-driver.ts";
import { installVendor } from "./install.ts";

const words = process.argv.slice(2);
let passed = 0;
let failed = 0;
try {
  const installed = await installVendor();
  const checks = [...agents.flatMap((agent) => checksOf(agent, installed)), ...claudeDriverChecks(installed)];
  for (const { title, run } of checks.filter((check) => words.every((word) => check.title.includes(word)))) {
    const start = performance.now();
    const error = await run().then(
      () => undefined,
      (thrown: unknown) => thrown ?? new Error("it threw nothing"),
    );
    console.log(
      `${error ? "FAILED" : "ok"}  ${title}  (${((performance.now() - start) / 1000).toFixed(1)} s)`,
    );
    if (error) console.log(error);
    if (error) failed++;
    else passed++;
  }
} catch (error) {
  console.log(error);
  failed++;
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 || passed === 0 ? 1 : 0;
