// `drover permit` lists, and a second command decides by id. In between the agent may change what it asks for.
import { beforeEach, describe, expect, test } from "vitest";
import { anApproval, aQuestion } from "./fixtures.ts";
import { suite } from "./suite.ts";

const t = suite();

const inputHash = "0123456789abcdef0123456789abcdef";
const revision = 3;
const command = { command: "rm -rf precious" };
const changed = anApproval({ input: command, inputHash, revision });
const decisions = () => t.server.asked.filter(({ method }) => method === "POST");

async function run(...args: string[]) {
  const cli = t.drover(args);
  return { code: await cli.ended, stdout: cli.stdout(), stderr: cli.stderr() };
}

describe("H4 a request that the agent has changed", () => {
  beforeEach(() => {
    t.server.interactions = [changed];
  });

  test("is shown instead of approved when only its id is given", async () => {
    const { code, stdout, stderr } = await run("permit", "allow", changed.id);
    expect(code).toBe(6);
    expect(stdout).toContain("rm -rf precious");
    expect(stderr).toContain("changed this request");
    expect(stderr).toContain(`drover permit allow ${changed.id} --revision 3`);
    expect(decisions()).toEqual([]);
  });

  test("is approved with the revision that was shown", async () => {
    expect((await run("permit")).stdout).toContain("--revision 3");
    const { code } = await run("permit", "allow", changed.id, "--revision", "3");
    expect(code).toBe(0);
    expect(decisions()[0]?.body).toMatchObject({ inputHash });
  });

  test.each(["1", "2", "4"])("is not approved with the revision %s", async (other) => {
    expect((await run("permit", "allow", changed.id, "--revision", other)).code).toBe(6);
    expect(decisions()).toEqual([]);
  });

  test("is denied by its id alone", async () => {
    expect((await run("permit", "deny", changed.id)).code).toBe(0);
  });

  test("is shown instead of answered when it is a choice", async () => {
    const choice = aQuestion({ input: command, inputHash, revision });
    t.server.interactions = [choice];
    const { code, stdout } = await run("answer", choice.id, "Red");
    expect([code, stdout.includes("rm -rf precious")]).toEqual([6, true]);
    expect(decisions()).toEqual([]);
    expect((await run("answer", choice.id, "Red", "--revision", String(revision))).code).toBe(0);
  });
});

test("H4 a request too large for the list is shown in full before it is approved", async () => {
  const large = anApproval({ input: command, inputHash });
  const { input: _, ...outline } = large;
  t.server.interactions = [large];
  t.server.listed = [{ ...outline, inputOmitted: true }];
  expect((await run("permit")).stdout).toContain(
    `too large for the list. See it with \`drover permit show ${large.id}\``,
  );
  expect((await run("permit", "show", large.id)).stdout).toContain("rm -rf precious");
  const { code, stdout } = await run("permit", "allow", large.id);
  expect([code, stdout.includes("rm -rf precious")]).toEqual([6, true]);
  expect(decisions()).toEqual([]);
  expect((await run("permit", "allow", large.id, "--revision", "1")).code).toBe(0);
});

test("H4 a large request needs its revision even when the list no longer omits it", async () => {
  const large = anApproval({
    input: { command: `echo ${"x".repeat(70_000)} && rm -rf precious` },
    inputHash,
  });
  t.server.interactions = [large];
  const { code, stdout } = await run("permit", "allow", large.id);
  expect([code, stdout.includes("rm -rf precious")]).toEqual([6, true]);
  expect(decisions()).toEqual([]);
  expect((await run("permit", "show", large.id)).stdout).toContain("add --revision 1");
  expect((await run("permit", "allow", large.id, "--revision", "1")).code).toBe(0);
});

test("H4 so does a question with a large text", async () => {
  const [question] = aQuestion().questions ?? [];
  const large = aQuestion({
    questions: question ? [{ ...question, header: "x".repeat(70_000) }] : [],
    inputHash,
  });
  t.server.interactions = [large];
  expect((await run("answer", large.id, "Red")).code).toBe(6);
  expect(decisions()).toEqual([]);
});

test("H4 an interaction's own id names no request whose tool call has the same one", async () => {
  const first = anApproval({ input: { command: "ls" } });
  const second = anApproval({ id: "int_01hv0000000000000000000009", toolCallId: first.id, input: command });
  t.server.interactions = [second, first];
  expect((await run("permit", "allow", first.id)).code).toBe(0);
  expect(decisions()[0]?.body).toMatchObject({ toolCallId: first.id });
});
