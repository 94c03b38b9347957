import { describe, expect, test } from "vitest";
import { findChromium } from "../../../test/kit/programs.ts";
import { seriousFindings } from "./axe.ts";
import { lookFindings } from "./look.ts";
import { sharedBrowser } from "./shared-browser.ts";
import { visit } from "./visit.ts";
import { addWorker } from "./workers.ts";

describe.skipIf(!findChromium())("the session page of a worker (needs chromium)", () => {
  const browser = sharedBrowser();

  test("says how it stands, and reads its signal, its commits and its reminders in the conversation", async () => {
    await using visited = await visit(browser);
    const { page, server } = visited;
    const { session } = addWorker(visited, "cart", {
      title: "Fix the cart",
      worker: { tries: 2, summary: "Rounded **once**.", batch: "b1", signal: { run: 1, status: "done" } },
    });
    session.begin("Fix the cart");
    session.say("I rounded it.");
    const text = "Write .drover/output/signal.json.";
    session.emit({
      type: "notice",
      code: "INSTRUCTED",
      message: `Reminded the worker: ${text}`,
      facts: { attempt: 2 },
    });
    session.emit({ type: "signal", run: 1, status: "done", tries: 2 });
    session.emit({ type: "commits", head: "abcdef0123", count: 1, byDrover: true });
    session.end();
    await page.goto(`${server.url}/#/s/cart`);
    const head = page.getByRole("region", { name: "Worker" });
    await head.getByText("Reported that it is done").waitFor();
    await head.getByText("2 attempts").waitFor();
    await head.getByText("Summary").press("Enter");
    await head.getByText("Rounded once.").waitFor();
    await page.getByText("Reminded the worker:").waitFor();
    await page.getByText("The worker reported that it is done, in attempt 2.").waitFor();
    await page.getByText("Drover committed the work as abcdef0.").waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    expect(await lookFindings(page)).toEqual([]);
    expect(await page.getByRole("link", { name: "Proposals" }).count()).toBe(0);
    await head.getByRole("link", { name: "Compare tries" }).click();
    await page.waitForURL(/#\/board\/b1$/);
  });
});
