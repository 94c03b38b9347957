import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { demoProgram, openRig, openSession, processesOfSession } from "./support.ts";

test("a server stops the agents that the previous one was asked to stop but left running", async () => {
  await using rig = await openRig({
    agents: { kit: { driver: "acp", ...demoProgram } },
    config: { supervision: { stopGrace: "1s" } },
  });
  await using session = await openSession(rig);
  await session.done((await session.send("say hello")).messageId);
  const request = join(rig.server.droverHome, "stop-agents");
  await rig.server.kill9();
  await writeFile(request, "");
  expect(processesOfSession(rig, session.id)).not.toEqual([]);
  await rig.start();
  expect(processesOfSession(rig, session.id)).toEqual([]);
  expect(existsSync(request)).toBe(false);
  // Its end is not a crash, so nothing is retried.
  expect((await session.get()).connection).toEqual({ status: "idle", attempt: 0, gaveUp: false });
  await session.done((await session.send("say still here")).messageId);
});
