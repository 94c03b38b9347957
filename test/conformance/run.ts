// `npm run conformance [-- WORD …]`: the vendors' real agents, installed outside the checkout, against scripted models on
// loopback. Runs the checks whose title has all the words. The last line is `N passed, N failed`.
import { buildTestedPackage } from "../../scripts/build-package.ts";
import { inLanes } from "../kit/lanes.ts";
import { agents } from "./agents.ts";
import { asShippedGroups } from "./as-shipped.ts";
import { type Check, checksOf } from "./checks.ts";
import { claudeConversationChecks } from "./claude-conversations.ts";
import { claudeDriverChecks } from "./claude-driver.ts";
import { behaviourGroups, type Group, waitingGroups } from "./groups.ts";
import { installVendor } from "./install.ts";
import { Report } from "./report.ts";
import { togetherGroup } from "./together.ts";

const report = new Report(process.argv.slice(2));
const run = (group: Group) => report.run(group);
const alone = (checks: Check[]): Group => ({ checks, close: async () => {} });

await report.runAll(async () => {
  await buildTestedPackage();
  const installed = await installVendor();
  const groups = [
    ...behaviourGroups(installed),
    togetherGroup(installed),
    ...agents.map((agent) => alone(checksOf(agent, installed))),
    alone(claudeDriverChecks(installed)),
    alone(claudeConversationChecks(installed)),
  ];
  const waiting = [...asShippedGroups(installed), ...waitingGroups(installed)];
  // More lanes than processors, because agents mostly wait.
  await Promise.all([inLanes(4, groups, run), ...waiting.map(run)]);
});
