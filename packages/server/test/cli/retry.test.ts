import type { Session } from "@drover/core";
import { describe, expect, test } from "vitest";
import { aSession, turnId } from "./fixtures.ts";
import { suite } from "./suite.ts";

const t = suite();
const drover = t.run;

const failed = (fields: Partial<Session["lastTurn"]> = {}): Session =>
  aSession({
    lastTurn: { ...{ id: turnId, startedAt: "", endedAt: "", reason: "error", ok: false }, ...fields },
  });

/** A transcript whose prompt is on the second page. */
function transcript(): void {
  const item = { status: "complete", at: "2026-02-18T14:30:00.000Z", seq: 1 };
  t.server.routes["GET /api/sessions/:id/messages"] = ({ path }) => ({
    body: path.includes("before=")
      ? { items: [{ ...item, id: "itm_1", kind: "user", turnId, text: "do it" }] }
      : { items: [{ ...item, id: "itm_2", kind: "text", turnId, text: "No" }], before: 2 },
  });
}

const sent = async () => (await t.server.wasAsked("POST", /messages$/)).body;

describe("retry", () => {
  test("sends the last turn's prompt again", async () => {
    t.server.session = failed();
    transcript();
    expect(await drover("retry", "brave-otter")).toMatchObject({
      code: 0,
      stderr: expect.stringContaining("brave-otter: sent again."),
    });
    expect(await sent()).toEqual({ content: "do it", clientMessageId: expect.any(String) });
  });

  test("--when-it-resets leaves the sending to the server", async () => {
    const until = new Date(2126, 1, 18, 14, 5).toISOString();
    t.server.session = failed({ reason: "usage_limit", until });
    transcript();
    const { stderr } = await drover("retry", "brave-otter", "--when-it-resets");
    expect(stderr).toContain("sends the prompt again at 2126-02-18 14:05");
    expect(await sent()).toMatchObject({ content: "do it", notBefore: until });
  });

  test("says so if no usage limit ended the turn, or if there is no turn", async () => {
    t.server.session = failed();
    expect(await drover("retry", "brave-otter", "--when-it-resets")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("No usage limit ended the last turn"),
    });
    t.server.session = aSession();
    expect(await drover("retry", "brave-otter")).toMatchObject({ code: 6 });
    expect(t.server.asked.some(({ method }) => method === "POST")).toBe(false);
  });
});
