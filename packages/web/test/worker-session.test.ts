import { describe, expect, test } from "vitest";
import { findChromium } from "../../../test/kit/programs.ts";
import { seriousFindings } from "./axe.ts";
import type { FixtureSession } from "./fixture/session.ts";
import { lookFindings } from "./look.ts";
import { recordNotifications, shownOn } from "./scenes.ts";
import { sharedBrowser } from "./shared-browser.ts";
import { visit } from "./visit.ts";
import { type AddedWorker, addWorker, finish } from "./workers.ts";

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

  test("is reported once by a notification when the worker asks, fails or has work to review", async () => {
    await using visited = await visit(browser);
    const { page, server } = visited;
    await recordNotifications(page);
    const [asks, fails, works] = ["asks", "fails", "works"].map((name) => addWorker(visited, name));
    await page.goto(`${server.url}/#/settings`);
    await page.reload();
    await page.getByLabel("A turn failed").waitFor();
    await page.getByRole("navigation").getByRole("link", { name: /works/ }).first().waitFor();
    const news: string[] = [];
    const reported = async (text: string) => {
      news.push(text);
      await expect.poll(() => shownOn(page)).toEqual(news);
    };
    asks?.session.begin("go");
    asks?.session.question([{ id: "q1", question: "Which one?", options: [], multiSelect: false }]);
    end(asks, { reason: "waiting_for_input" });
    await reported("Demo has a question | asks: Which one?");
    fails?.session.begin("go");
    const error = { code: "SIGNAL_ERROR", message: "No luck", retry: "never" } as const;
    end(fails, { ok: false, reason: "error", error });
    await reported("Demo failed | fails: No luck");
    if (works) finish(works, { "a.txt": "two\n" });
    await expect.poll(async () => (await shownOn(page)).at(-1)).toMatch(/^Demo's work is ready for review/);
  });
});

/** Ends the turn of a worker unseen. */
function end(worker: AddedWorker | undefined, news: Parameters<FixtureSession["end"]>[0]): void {
  if (!worker) return;
  worker.session.details = { ...worker.session.details, unread: true };
  worker.session.end(news);
}
