// A session's model is the one it will use next: the chosen one, until its agent reports another.
import { expect, test } from "vitest";
import { until } from "../kit/until.ts";
import { kitAgent, openRig, openSession } from "./support.ts";

test("a model can be chosen whether or not the agent is running, and is shown at once", async () => {
  await using rig = await openRig({ agents: { kit: kitAgent("offers-models.mjs") } });
  await using session = await openSession(rig);
  const choose = (model: string) => rig.client.patch(session.path(), { model });
  const said = async () => (await session.items()).at(-1)?.text;

  await session.turn("which?");
  expect(await session.get(), "the agent's default").toMatchObject({ model: "small" });
  expect(await choose("large")).toMatchObject({ model: "large" });
  await session.turn("which now?");
  expect(await said()).toBe("large");

  await session.post("stop");
  await until(async () => (await session.get()).state === "stopped");
  expect(await choose("small"), "no agent is running").toMatchObject({
    model: "small",
    state: "stopped",
  });
  expect(await choose("large")).toMatchObject({ model: "large" });
  await session.turn("and now?");
  expect(await said(), "the agent gets the model when it starts again").toBe("large");
  expect(await session.get()).toMatchObject({ model: "large" });
});
