import { describe, expect, test } from "vitest";
import { findChromium } from "../../../test/kit/programs.ts";
import { seriousFindings } from "./axe.ts";
import { FixtureSession } from "./fixture/session.ts";
import { sharedBrowser } from "./shared-browser.ts";
import { type Visit, visit } from "./visit.ts";

describe.skipIf(!findChromium())("expired requests in the inbox (needs chromium)", () => {
  const browser = sharedBrowser();

  /** The inbox with a request that expired before the page was opened. */
  async function openExpired(): Promise<Visit & { session: FixtureSession }> {
    const visited = await visit(browser);
    const session = visited.server.add(new FixtureSession({ name: "brave-otter", title: "Fix the test" }));
    session.begin("work");
    const asked = session.ask("c1", { toolKind: "execute", input: { command: "make test" } });
    session.resolve(asked, { resolution: "expired", by: "server" });
    await visited.page.goto(`${visited.server.url}/#/inbox`);
    return { ...visited, session };
  }

  const followUps = ({ resolved }: FixtureSession) => resolved.map(({ followUp }) => followUp);

  test("stay until the person has the agent try again", async () => {
    await using visited = await openExpired();
    const { page, session, complaints } = visited;
    const entry = page.getByRole("region", { name: "Expired: demo wants to run a command" });
    await entry.getByText("make test").waitFor();
    await entry.getByText(/^Expired .* ·$/).waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await page.reload();
    await entry.getByRole("button", { name: "Ask again" }).click();
    await page.getByText("You're all caught up").waitFor();
    expect(followUps(session)).toEqual(["asked_again"]);
    expect(complaints).toEqual([]);
  });

  test("can be dismissed, and the focus moves to the next open request", async () => {
    await using visited = await openExpired();
    const { page, session } = visited;
    session.ask("c2", { toolKind: "execute", input: { command: "make again" } });
    await page.getByRole("button", { name: "Approve", exact: true }).waitFor();
    await page.getByRole("button", { name: "Dismiss" }).click();
    await page.getByRole("region", { name: /^Expired/ }).waitFor({ state: "detached" });
    const focused = () => page.evaluate(() => document.activeElement?.textContent ?? "");
    await expect.poll(focused).toContain("make again");
    expect(followUps(session)).toEqual(["dismissed"]);
  });

  test("replace the card the person was looking at", async () => {
    await using visited = await openExpired();
    const { page, session } = visited;
    const asked = session.ask("c2", { toolKind: "execute", input: { command: "make again" } });
    await page.getByRole("button", { name: "Approve", exact: true }).waitFor();
    session.resolve(asked, { resolution: "expired", by: "server" });
    await page.getByRole("button", { name: "Ask again" }).nth(1).waitFor();
    await expect.poll(() => page.title()).toBe("Inbox · Drover");
  });
});
