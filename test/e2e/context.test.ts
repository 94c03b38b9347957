import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { kitAgent, openRig, openSession } from "./support.ts";

interface Begun {
  how: "new" | "load";
  params: { _meta?: { systemPrompt?: { append?: string } } };
}

test("an ACP agent gets its context when its conversation begins, followed by the session's system text", async () => {
  await using rig = await openRig((home) => ({
    agents: { kit: kitAgent("reports-session.mjs", "--file", join(home, "begun")) },
  }));
  await using session = await openSession(rig, "kit", { system: "Answer in verse." });
  await session.turn("hello");
  const lines = (await readFile(join(rig.home, "begun"), "utf8")).trim().split("\n");
  const begun = lines.map((line) => JSON.parse(line) as Begun);
  expect(begun.map(({ how }) => how)).toEqual(["new"]);
  const append = begun[0]?.params._meta?.systemPrompt?.append ?? "";
  expect(append).toMatch(/^<env>\nWorking directory: .*\/work\nProduct: Drover\n/);
  expect(append).toContain(`\nPort: ${rig.server.port}\n`);
  expect(append).toMatch(/\n<\/git_status>\n\nAnswer in verse\.$/);
});
