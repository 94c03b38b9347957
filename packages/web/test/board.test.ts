import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { findChromium } from "../../../test/kit/programs.ts";
import { until } from "../../../test/kit/until.ts";
import { seriousFindings } from "./axe.ts";
import { lookFindings } from "./look.ts";
import { sharedBrowser } from "./shared-browser.ts";
import { button, pressInOneGo, type Visit, visit } from "./visit.ts";
import { addRepository, addWorker, finish } from "./workers.ts";

const column = (page: Page, title: string) => page.getByRole("region", { name: title, exact: true });
const card = (page: Page, task: string) => page.getByRole("listitem", { name: task });

/** A worker in each column. */
async function busyBoard(visited: Visit) {
  const { page, server } = visited;
  const cart = addWorker(visited, "cart", { title: "Fix the cart", worker: { lastLine: "Reading cart.ts" } });
  cart.session.begin("Fix the cart");
  const docs = addWorker(visited, "docs", { title: "Write the docs" });
  docs.session.begin("Write the docs");
  docs.session.question([
    { id: "q1", question: "In which language?", options: [{ label: "English" }], multiSelect: false },
  ]);
  const prices = addWorker(visited, "prices", { title: "Round the prices" });
  finish(prices, { "a.txt": "two\n" });
  const taxes = addWorker(visited, "taxes", { title: "Add taxes" });
  taxes.session.begin("Add taxes");
  taxes.session.end({
    ok: false,
    reason: "error",
    error: { code: "SIGNAL_ERROR", message: "No tax table", retry: "never" },
  });
  addWorker(visited, "later", { title: "Tidy up", state: "queued", queued: 1 });
  await page.goto(`${server.url}/#/board`);
  await card(page, "Fix the cart").waitFor();
  return { cart, docs, prices, taxes };
}

describe.skipIf(!findChromium())("the board (needs chromium)", () => {
  const browser = sharedBrowser();

  test("has every worker in its column, with what it changed and said, and follows it from one to the next", async () => {
    await using visited = await visit(browser);
    const { page } = visited;
    const { cart } = await busyBoard(visited);
    await column(page, "Working").getByText("Reading cart.ts").waitFor();
    await column(page, "Needs you").getByText("Write the docs").waitFor();
    await column(page, "Review").getByText("Ready for review").waitFor();
    await column(page, "Review").getByText("1 file").waitFor();
    await column(page, "Failed").getByText("No tax table").waitFor();
    await column(page, "Queued").getByText("Tidy up").waitFor();
    expect(await column(page, "Merged").getByRole("listitem").count()).toBe(0);
    expect(await seriousFindings(page)).toEqual([]);
    expect(await lookFindings(page)).toEqual([]);

    cart.tree.write({ "cart.txt": "fixed\n" });
    cart.session.end();
    await column(page, "Review").getByText("Fix the cart").waitFor();
    expect(visited.complaints).toEqual([]);
  });

  test("answers a question in place, with the keyboard alone", async () => {
    await using visited = await visit(browser);
    const { page } = visited;
    const { docs } = await busyBoard(visited);
    await card(page, "Write the docs").getByRole("button", { name: "Answer…" }).press("Enter");
    await card(page, "Write the docs").getByText("In which language?").waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await page.locator("[data-interaction][data-listens]").waitFor();
    await page.keyboard.press("1");
    await page.keyboard.press("Enter");
    await until(() => docs.session.state.interactions.length === 0);
    await column(page, "Working").getByText("Write the docs").waitFor();
  });

  test("goes through its cards with J and K, and W opens the next worker that needs someone", async () => {
    await using visited = await visit(browser);
    const { page, server } = visited;
    await busyBoard(visited);
    await page.goto(`${server.url}/#/`);
    await pressInOneGo(page, "g", "b");
    await page.waitForURL(/#\/board$/);
    await card(page, "Fix the cart").waitFor();
    const focused = () => page.evaluate(() => document.activeElement?.textContent);
    await page.keyboard.press("j");
    expect(await focused()).toBe("Tidy up");
    await page.keyboard.press("j");
    expect(await focused()).toBe("Fix the cart");
    await page.keyboard.press("k");
    expect(await focused()).toBe("Tidy up");

    await page.keyboard.press("w");
    await page.waitForURL(/#\/s\/docs$/);
    await page.getByRole("heading", { name: "Write the docs" }).waitFor();
    await page.keyboard.press("w");
    await page.waitForURL(/#\/s\/prices\/review$/);
  });

  test("stops all workers after naming them, those in the queue first", async () => {
    await using visited = await visit(browser);
    const { page, server } = visited;
    const { cart } = await busyBoard(visited);
    const stopped: string[] = [];
    page.on("request", (request) => {
      const [, id] = /sessions\/([^/]+)\/stop$/.exec(request.url()) ?? [];
      if (id) stopped.push(server.find(id)?.record().name ?? id);
    });
    await button(page, "Stop all…").click();
    const dialog = page.getByRole("dialog", { name: "Stop 3 workers?" });
    expect(await dialog.getByRole("listitem").allInnerTexts()).toHaveLength(3);
    expect(await seriousFindings(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Stop all" }).click();
    await page.getByText("Stopped 3 workers").waitFor();
    expect(stopped).toEqual(["later", "cart", "docs"]);
    expect(cart.session.state.reportedState).toBe("stopped");
  });

  test("merges every accepted worker in order, and the card of one that conflicts says so", async () => {
    await using visited = await visit(browser);
    const { page } = visited;
    const repository = addRepository(visited);
    const names = ["first", "second", "third"];
    for (const name of names) {
      const worker = addWorker(visited, name, { title: `The ${name} task` });
      finish(worker, name === "third" ? { "b.txt": "new\n" } : { "a.txt": `${name}\n` });
      await until(() => worker.session.state.review?.state === "open");
      worker.session.emit({ type: "review", ...review(worker), state: "accepted" });
    }
    await page.goto(`${visited.server.url}/#/board`);
    await button(page, "Merge accepted (3)…").click();
    await page.getByRole("dialog").getByRole("button", { name: "Merge all" }).click();
    await column(page, "Merged").getByText("The first task").waitFor();
    await column(page, "Merged").getByText("The third task").waitFor();
    await card(page, "The second task").getByRole("alert").getByText("conflicts with main").waitFor();
    await page.getByText("Sent to merge: 2 workers. 1 failed").waitFor();
    expect(repository.head).toMatchObject({ "a.txt": "first\n", "b.txt": "new\n" });
  });

  test("teaches what a worker is while there are none", async () => {
    await using visited = await visit(browser, "#/board");
    const { page } = visited;
    await page.getByText("drover worker spawn demo").waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    expect(await lookFindings(page)).toEqual([]);
    await button(page, "New worker").last().click();
    await page.getByRole("dialog", { name: "New worker" }).waitFor();
  });

  test("shows one column at a time on a phone, the most urgent one first", async () => {
    await using visited = await visit(browser);
    const { page, server } = visited;
    await busyBoard(visited);
    await page.setViewportSize({ width: 390, height: 780 });
    await page.goto(`${server.url}/#/`);
    await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Board" }).click();
    const chosen = page.getByRole("group", { name: "Columns" }).locator("[aria-pressed=true]");
    await expect.poll(() => chosen.innerText()).toMatch(/^Needs you\s*1$/);
    await card(page, "Write the docs").waitFor();
    await page.getByRole("button", { name: /^Review/ }).click();
    await card(page, "Round the prices").waitFor();
    expect(await card(page, "Write the docs").count()).toBe(0);
    expect(await seriousFindings(page)).toEqual([]);
    expect(await lookFindings(page)).toEqual([]);
  });
});

function review({ session }: ReturnType<typeof addWorker>) {
  const { review: found } = session.state;
  if (!found) throw new Error("There is nothing to review");
  return found;
}
