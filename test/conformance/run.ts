// `npm run conformance [-- WORD …]`: real vendors' agents, installed outside the checkout, against scripted models on
// loopback. Words choose the checks whose title has them. The last line is `N passed, N failed`.
import { describeFailure } from "../kit/failure.ts";
import { agents } from "./agents.ts";
import { asShippedGroups } from "./as-shipped.ts";
import { behaviourGroups, type Group } from "./behaviours.ts";
import { type Check, checksOf } from "./checks.ts";
import { claudeConversationChecks } from "./claude-conversations.ts";
import { claudeDriverChecks } from "./claude-driver.ts";
import { installVendor } from "./install.ts";
import { togetherGroup } from "./together.ts";

const words = process.argv.slice(2);
let passed = 0;
const failures: string[] = [];

async function tell(title: string, run: () => Promise<void>): Promise<void> {
  const start = performance.now();
  const error = await run().then(
    () => undefined,
    (thrown: unknown) => thrown ?? new Error("it threw nothing"),
  );
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  console.log(`${error ? "FAILED" : "ok"}  ${title}  (${seconds} s)`);
  if (error) failures.push(describeFailure(title, error));
  else passed++;
}

const alone = (checks: Check[]): Group => ({ checks, close: async () => {} });

async function runGroup({ checks, close }: Group): Promise<void> {
  try {
    for (const { title, run } of checks.filter((check) =>
      words.every((word) => check.title.includes(word)),
    )) {
      await tell(title, run);
    }
  } finally {
    await close();
  }
}

try {
  const installed = await installVendor();
  const groups = [
    ...behaviourGroups(installed),
    togetherGroup(installed),
    ...agents.map((agent) => alone(checksOf(agent, installed))),
    alone(claudeDriverChecks(installed)),
    alone(claudeConversationChecks(installed)),
  ].values();
  // Agents spend most of their time waiting; a lane takes the next group as soon as it has ended its last.
  const lane = async () => {
    for (const group of groups) await runGroup(group);
  };
  await Promise.all([lane(), lane(), ...asShippedGroups(installed).map(runGroup)]);
} catch (error) {
  failures.push(describeFailure("the run itself", error));
}
for (const failure of failures) console.log(failure);
console.log(`${passed} passed, ${failures.length} failed`);
process.exitCode = failures.length > 0 || passed === 0 ? 1 : 0;
