import type { Session } from "@drover/core";
import { describe, expect, test } from "vitest";
import { aSession, done, turnOf } from "./fixtures.ts";
import { suite } from "./suite.ts";

const t = suite();
const drover = t.run;

const seenUpTo = async () => (await t.server.wasAsked("POST", /\/seen$/)).body;
const unread = (fields: Partial<Session> = {}) => aSession({ unread: true, lastSeq: 7, ...fields });

describe("a person has seen a session", () => {
  test("after `run` has shown the end of its turn", async () => {
    const cli = t.drover(["run", "demo", "do it"]);
    await t.streaming();
    t.server.append(...turnOf("Hello"), done());
    expect(await cli.ended).toBe(0);
    expect(await seenUpTo()).toEqual({ seq: t.server.session.lastSeq });
  });

  test("after `show`", async () => {
    t.server.session = unread();
    expect((await drover("show", "brave-otter")).stdout).toMatch(/^state +idle, unread$/m);
    expect(await seenUpTo()).toEqual({ seq: 7 });
  });

  test("after `wait`", async () => {
    t.server.append(...turnOf("Hello"), done());
    t.server.session = { ...t.server.session, unread: true };
    await drover("wait", "brave-otter");
    expect(await seenUpTo()).toEqual({ seq: t.server.session.lastSeq });
  });

  test("but not after `show --json`, which scripts use", async () => {
    t.server.session = unread();
    await drover("show", "brave-otter", "--json");
    expect(t.server.asked.filter(({ path }) => path.endsWith("/seen"))).toEqual([]);
  });

  test("even if the server refuses to store it: the command succeeds", async () => {
    t.server.session = unread();
    t.server.routes["POST /api/sessions/:id/seen"] = () => ({
      status: 403,
      body: { error: "Only a person may do that", code: "AGENT_CANNOT_ANSWER" },
    });
    expect(await drover("show", "brave-otter")).toMatchObject({ code: 0 });
  });
});
