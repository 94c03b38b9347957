// A request that expires unanswered stays in the inbox until a person deals with it.
import type { Interaction } from "@drover/core";
import { expect, test } from "vitest";
import { operations } from "../../packages/server/src/operations/index.ts";
import { checkAnswer } from "../kit/answers.ts";
import { openSocket } from "../kit/socket.ts";
import { until } from "../kit/until.ts";
import { drover, kitAgent, openRig, openSession, type Rig } from "./support.ts";

const quick = {
  agents: { kit: kitAgent("asks-permission.mjs") },
  config: { interactions: { timeout: "1s" } },
};

const listed = async ({ client }: Rig, state: string) =>
  (await client.get<{ interactions: Interaction[] }>(`/api/interactions?state=${state}`)).interactions;

function outputOf(name: string) {
  const found = operations.find((operation) => operation.name === name);
  if (!found) throw new Error(`There is no operation ${name}`);
  return found;
}

test("an expired request is listed, even after a restart, until a person tells the agent to ask again", async () => {
  await using rig = await openRig(quick);
  await using session = await openSession(rig);
  await session.turn("go");
  const [expired] = await listed(rig, "expired");
  expect(expired).toMatchObject({ sessionId: session.id, state: "resolved", resolution: "expired" });
  expect(await listed(rig, "open")).toEqual([]);
  expect(await listed(rig, "resolved")).toEqual([expired]);
  await rig.server.kill9();
  await rig.start();
  expect(await listed(rig, "expired")).toEqual([expired]);

  await using socket = await openSocket(rig.server);
  const again = () =>
    rig.client.ask("POST", session.path("/ask-again"), { body: { toolCallId: expired?.id } });
  const answers = await Promise.all([again(), again()]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 404]);
  const taken = answers.find(({ status }) => status === 200);
  checkAnswer(outputOf("interactions.askAgain"), taken?.body);
  expect(taken?.body).toMatchObject({ id: expired?.id, followUp: "asked_again" });
  const announced = await until(() => socket.frames.find(({ type }) => type === "interaction_followed_up"), {
    what: "every socket is notified",
  });
  expect(announced).toMatchObject({
    interactionId: expired?.id,
    sessionId: session.id,
    followUp: "asked_again",
    by: "api",
  });
  // The agent asks again, and that request expires, too.
  await until(async () => (await listed(rig, "resolved")).length === 2, { what: "the agent asked again" });
  const [second] = await listed(rig, "expired");
  expect(second?.id).not.toBe(expired?.id);
  const messages = session.all("message").map(({ content }) => content);
  expect(messages.at(-1)).toContain("expired before anyone answered it");
});

test("drover inbox lists expired requests and dismisses them", async () => {
  await using rig = await openRig(quick);
  await using session = await openSession(rig);
  await session.turn("go");
  const [expired] = await listed(rig, "expired");
  const id = expired?.id ?? "";
  const { name } = await session.get();
  const shown = await drover(rig.home, "inbox");
  expect(shown.stdout).toMatch(new RegExp(`${id}  ${name}  approval  expired .* ago`));
  expect(shown.stderr).toContain("drover permit ask-again ID");
  expect(JSON.parse((await drover(rig.home, "inbox", "--json")).stdout)).toMatchObject({
    interactions: [],
    expired: [{ id }],
  });
  expect(await drover(rig.home, "inbox", "dismiss", id)).toMatchObject({ code: 0 });
  expect(await listed(rig, "expired")).toEqual([]);
  expect((await drover(rig.home, "inbox", "dismiss", id)).code).toBe(5);
  expect((await drover(rig.home, "inbox")).stdout).not.toContain(id);
});
