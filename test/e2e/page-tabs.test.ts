// Several tabs on one server: all of them are up to date, and one answer counts.
import type { Session } from "@drover/core";
import type { Browser, Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { buildWeb } from "../../scripts/build-web.ts";
import { findChromium } from "../kit/programs.ts";
import { until } from "../kit/until.ts";
import { workerBrowser } from "../kit/worker-browser.ts";
import { openRig, openSession } from "./support.ts";
import { logIn, shownWords, wordsOf } from "./tab.ts";

let browser: Browser;
beforeAll(async () => {
  if (!findChromium()) return;
  await buildWeb();
  browser = await workerBrowser();
});

const approve = (page: Page) => page.getByRole("button", { name: "Approve", exact: true });

describe.skipIf(!findChromium())("tabs (needs chromium)", { timeout: 150_000 }, () => {
  test("when two tabs answer an approval at once, one wins and the other says who answered", async () => {
    await using rig = await openRig();
    await using tab = await logIn(browser, rig);
    await using session = await openSession(rig, "demo", { name: "contested" });
    const other = await tab.another("#/s/contested");
    const inbox = await tab.another("#/inbox");
    await tab.page.goto(`${rig.server.url}/#/s/contested`);
    const { messageId } = await session.send("run echo once >> once.txt");
    const both = [tab.page, other];
    await Promise.all([...both, inbox].map((page) => approve(page).waitFor()));
    // Neither click waits for the browser to finish the other.
    await Promise.all(both.map((page) => approve(page).evaluate((button: HTMLElement) => button.click())));
    await session.done(messageId);
    const outcomes = await Promise.all(
      both.map(async (page) => {
        const line = page.getByText(/^Approved by/).first();
        return (await line.innerText()).replace(/ · .*$/, "");
      }),
    );
    // All tabs belong to the same person, whichever of them won.
    expect(outcomes).toEqual(["Approved by you", "Approved by you"]);
    await inbox.getByText(/^Approved by you/).waitFor();
    await approve(inbox).waitFor({ state: "hidden" });
    const items = await session.items();
    expect(items.filter(({ tool }) => tool?.kind === "execute")).toHaveLength(1);
    expect(tab.complaints).toEqual([]);
  });

  test("six tabs on six streaming sessions all stay live, and none blocks the requests of another", async () => {
    await using rig = await openRig({ config: { supervision: { startsAtOnce: 6 } } });
    await using tab = await logIn(browser, rig);
    await using stack = new AsyncDisposableStack();
    const open = async (number: number) => {
      const session = stack.use(await openSession(rig, "demo", { name: `stream-${number}` }));
      return { session, page: await tab.another(`#/s/stream-${number}`) };
    };
    const pairs = await Promise.all([1, 2, 3, 4, 5, 6].map(open));
    await Promise.all(pairs.map(({ page }) => page.getByLabel("Message").waitFor()));
    // These streams end only on request, so the test also works on a slow machine.
    await Promise.all(pairs.map(({ session }) => session.send("slow 300\nstream 100000")));
    const words = () =>
      Promise.all(pairs.map(async ({ page }) => (await shownWords(page)).split(" ").length));
    const show = (numbers: readonly number[]) =>
      Promise.all(
        pairs.map(({ page }, at) =>
          page.getByText(new RegExp(`\\bword${numbers[at]}\\b`)).waitFor({ timeout: 60_000 }),
        ),
      );
    await show(pairs.map(() => 10));
    const early = await words();
    await show(early.map((count) => count + 1));
    for (const { page } of pairs) {
      const listed = await page.evaluate(async () => {
        const headers = { "X-Drover-Key": localStorage.getItem("drover:key") ?? "" };
        return (await fetch("/api/agents", { headers })).status;
      });
      expect(listed).toBe(200);
    }
    await Promise.all(pairs.map(({ session }) => session.post("interrupt")));
    for (const { session, page } of pairs) {
      await until(() => session.all("done").length === 1);
      const spoken = wordsOf(session.follower.text());
      await until(async () => (await shownWords(page)).startsWith(spoken));
    }
    const { sessions } = await rig.client.get<{ sessions: Session[] }>("/api/sessions");
    expect(sessions).toHaveLength(6);
    expect(tab.complaints).toEqual([]);
  });

  test("changes made in one tab or on the command line show in every other tab without a reload", async () => {
    await using rig = await openRig();
    await using tab = await logIn(browser, rig);
    const inbox = await tab.another("#/inbox");
    await inbox.getByText("You're all caught up").waitFor();
    await using session = await openSession(rig, "demo", { name: "watched", title: "Seen everywhere" });
    for (const page of [tab.page, inbox]) {
      await page
        .getByRole("link", { name: /Seen everywhere/ })
        .first()
        .waitFor();
    }
    await session.send("ask Which colour? | Red | Blue");
    await inbox.getByText("Which colour?").waitFor();
    await until(async () => (await tab.page.title()) === "(1) All sessions · Drover");
    await inbox.getByRole("region", { name: "demo has a question" }).focus();
    await inbox.keyboard.press("2");
    await inbox.keyboard.press("Enter");
    await inbox.getByText("Answered by you").waitFor();
    await tab.page.getByRole("link", { name: /waiting$/ }).waitFor({ state: "detached" });
    await until(() => session.follower.text().includes("Blue"));
    await session.get().then(({ id }) => rig.client.delete(`/api/sessions/${id}`));
    await tab.page.getByText("No sessions yet").waitFor();
  });
});
