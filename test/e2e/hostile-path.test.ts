// A server started with an unsafe PATH, and sessions in a directory that contains planted programs.
import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openRig, openSession } from "./support.ts";

const tools = ["aider", "git", "kit-tool"];

test("an empty or relative entry in the server's PATH does not run programs from a repository", async () => {
  const path = `:.:${process.env["PATH"]}:`;
  const asks = { driver: "text", command: "/bin/sh", args: ["-c", "kit-tool || echo nothing"] };
  await using rig = await openRig({ env: { PATH: path }, agents: { asks } });
  const work = join(rig.home, "work");
  for (const tool of tools) {
    const planted = `#!/bin/sh\necho "${tool}" >> '${rig.home}/planted'\n`;
    await writeFile(join(work, tool), planted, { mode: 0o755 });
  }

  await using aider = await openSession(rig, "aider");
  const { messageId } = await aider.send("hello");
  expect(await aider.done(messageId)).toMatchObject({ reason: "error", error: { code: "AGENT_MISSING" } });

  await using other = await openSession(rig, "asks");
  const sent = await other.send("hello");
  await other.done(sent.messageId);
  expect(JSON.stringify(await other.items())).toContain("nothing");
  await rig.client.get(other.path("/workspace"));

  expect(await readdir(rig.home)).not.toContain("planted");
});
