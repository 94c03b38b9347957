import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { agentConfigKeys } from "@drover/core";
import { expect, test } from "vitest";
import { shippedPresets } from "../../src/drivers/presets.ts";

const manual = join(import.meta.dirname, "../../../../docs/agents.md");

test("the manual's table has every shipped agent with its protocol and package, and no other", async () => {
  const rows = (await readFile(manual, "utf8")).split("\n").filter((line) => /^\| `[a-z-]+` \| /.test(line));
  const table = rows.map((row) => row.split("|").map((cell) => cell.trim()));
  const agents = table.slice(0, 21).map(([, agent = "", , protocol, npm = ""]) => ({
    agent: agent.replaceAll("`", ""),
    protocol,
    npm: /^(–|not on npm)/.test(npm) ? undefined : npm,
  }));
  expect(agents).toEqual(
    shippedPresets("").map(({ agent, driver, package: npm }) => ({
      agent,
      protocol: driver,
      npm: npm && `${npm.name} ${npm.version}`,
    })),
  );
});

test("the manual names every key that can be set for an agent", async () => {
  const text = await readFile(manual, "utf8");
  const unnamed = agentConfigKeys([]).filter(
    (key) => !text.includes(`\`${key}\``) && !text.includes(`${key}:`),
  );
  expect(unnamed).toEqual([]);
});
