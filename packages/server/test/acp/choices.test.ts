import type { AgentAnswer, AgentFact } from "@drover/core";
import { expect, test } from "vitest";
import { Place, RecordingHost, script } from "./support.ts";

type Approval = Extract<AgentFact, { type: "approval_request" }>;

interface Option {
  readonly optionId: string;
  readonly name: string;
  readonly kind: string;
}

/** The approval made from a request with these options, and the answer that the agent receives. */
async function ask(
  options: Option[],
  answer: AgentAnswer,
): Promise<{ approval: Approval; received: unknown }> {
  await using place = await Place.make();
  const host = new RecordingHost();
  const connection = await place.open({ agent: "scripted" }, host);
  const toolCall = { toolCallId: "t1", title: "Deploy", kind: "execute", rawInput: { command: "deploy" } };
  const params = { sessionId: "conversation-1", toolCall, options };
  const request = { id: 7, method: "session/request_permission", params };
  await connection.prompt("trn_1", script({ send: [request] }));
  const approval = await host.first("approval_request");
  await connection.answer(approval.requestKey, answer);
  await host.turnEnd("trn_1");
  return { approval, received: JSON.parse(host.text) };
}

const option = (optionId: string, name: string, kind: string): Option => ({ optionId, name, kind });
const selected = (optionId: string) => ({ result: { outcome: { outcome: "selected", optionId } } });
const staging = option("a", "To staging", "allow_once");
const production = option("b", "To production", "allow_once");

test("N5 several options that allow once become a choice, and the agent gets the chosen one", async () => {
  const always = option("c", "Always", "allow_always");
  const no = option("d", "Not now", "reject_once");
  const answer = { type: "answered", answers: { choice: "To production" } } as const;
  const { approval, received } = await ask([staging, always, production, no], answer);
  expect(approval.choice).toEqual({
    id: "choice",
    question: "Deploy",
    options: [{ label: "To staging" }, { label: "To production" }, { label: "Not now", refuses: true }],
    multiSelect: false,
    closed: true,
  });
  expect(received).toEqual(selected("b"));
});

test("N5 an option that refuses can be chosen like any other", async () => {
  const refusals = [option("c", "No", "reject_once"), option("d", "No, and stop", "reject_once")];
  const answer = { type: "answered", answers: { choice: "No, and stop" } } as const;
  const { received } = await ask([staging, production, ...refusals], answer);
  expect(received).toEqual(selected("d"));
});

test("N5 a choice without a way to refuse gets one, which withdraws the request", async () => {
  const answer = { type: "answered", answers: { choice: "Deny" } } as const;
  const { approval, received } = await ask([staging, production], answer);
  expect(approval.choice?.options.at(-1)).toEqual({ label: "Deny", refuses: true });
  expect(received).toEqual({ result: { outcome: { outcome: "cancelled" } } });
});

test("N5 options with the same name get distinct labels", async () => {
  const twins = [option("a", "Yes", "allow_once"), option("b", "Yes", "allow_once")];
  const answer = { type: "answered", answers: { choice: "Yes (2)" } } as const;
  const { approval, received } = await ask([...twins, option("c", "Yes", "reject_once")], answer);
  expect(approval.choice?.options.map(({ label }) => label)).toEqual(["Yes", "Yes (2)", "Yes (3)"]);
  expect(received).toEqual(selected("b"));
});

test("N5 if only remembered answers are offered they can be used, and the request says so", async () => {
  const options = [option("y", "Always", "allow_always"), option("n", "No", "reject_always")];
  const approved = await ask(options, { type: "approved" });
  expect(approved.approval.offers).toEqual({
    approve: { label: "Always", remembered: true },
    deny: { remembered: true },
  });
  expect(approved.received).toEqual(selected("y"));
  const denied = await ask(options, { type: "denied", message: "no" });
  expect(denied.received).toMatchObject(selected("n"));
});

test("N5 a rule or a timeout never picks an answer that the agent remembers", async () => {
  const options = [option("y", "Yes", "allow_once"), option("n", "Never", "reject_always")];
  const { received } = await ask(options, { type: "denied", message: "no", unattended: true });
  expect(received).toMatchObject({ result: { outcome: { outcome: "cancelled" } } });
});

test("N5 the agent's labels are kept if they say more than yes and no", async () => {
  const options = [option("y", "Run it in the sandbox", "allow_once"), option("n", "Reject", "reject_once")];
  const { approval } = await ask(options, { type: "approved" });
  expect(approval.offers).toEqual({ approve: { label: "Run it in the sandbox" } });
});
