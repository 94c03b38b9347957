import { describe, expect, test } from "vitest";
import { findChromium } from "../../../test/kit/programs.ts";
import { until } from "../../../test/kit/until.ts";
import { seriousFindings } from "./axe.ts";
import { lookFindings } from "./look.ts";
import { sharedBrowser } from "./shared-browser.ts";
import { button, type Visit, visit } from "./visit.ts";
import { addRepository, addWorker, engine, finish } from "./workers.ts";

/** Two tries at one task that are done, in different ways. */
async function twoTries(visited: Visit) {
  const { page, server } = visited;
  addRepository(visited);
  const about = { title: "Count to two" } as const;
  const [short, long] = [
    addWorker(visited, "short", { ...about, worker: { batch: "b1", summary: "Counted **briefly**." } }),
    addWorker(visited, "long", { ...about, worker: { batch: "b1", result: { lines: 2 } } }),
  ];
  finish(short, { "a.txt": "one\ntwo\n" });
  finish(long, { "a.txt": "one\n\ntwo!\n" });
  for (const { session } of [short, long]) await until(() => session.state.review?.state === "open");
  await page.goto(`${server.url}/#/board/b1`);
  await page.getByRole("heading", { name: "Count to two" }).waitFor();
  return { short, long };
}

describe.skipIf(!findChromium())("tries at one task (needs chromium)", () => {
  const browser = sharedBrowser();

  test("are started together from the dialog, with one batch", async () => {
    await using visited = await visit(browser, "#/board");
    const { page, server } = visited;
    addRepository(visited);
    await button(page, "New worker").first().click();
    const dialog = page.getByRole("dialog", { name: "New worker" });
    await dialog.getByText("uses ACP").waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await dialog.getByLabel("Task").fill("Count to two");
    await dialog.getByLabel("Working directory").fill(engine);
    await dialog.getByLabel("Start from").fill("v1");
    await dialog.getByLabel("Tries").selectOption("3");
    await dialog.getByRole("button", { name: "Start 3 workers" }).click();
    await dialog.waitFor({ state: "detached" });
    const working = page.getByRole("region", { name: "Working" });
    await expect.poll(() => working.getByText("Count to two").count()).toBe(3);
    const records = server.sessions.map((session) => session.record());
    const [batch] = new Set(records.map(({ worker }) => worker?.batch));
    expect(records.map(({ worker }) => worker?.batch)).toEqual([batch, batch, batch]);
    expect(batch).toMatch(/^[a-z0-9_-]{1,64}$/);
    expect(records[0]).toMatchObject({ permissionMode: "acceptEdits", workspace: { base: { ref: "v1" } } });
  });

  test("of a mode that changes no files need no permission mode", async () => {
    await using visited = await visit(browser, "#/board");
    const { page, server } = visited;
    addRepository(visited);
    await button(page, "New worker").first().click();
    const dialog = page.getByRole("dialog", { name: "New worker" });
    await dialog.getByLabel("Task").fill("Plan the shop");
    await dialog.getByLabel("Working directory").fill(engine);
    await dialog.getByText("Accept edits").waitFor();
    await dialog.getByRole("group", { name: "Mode", exact: true }).getByText("Plan").click();
    await dialog.getByText("Accept edits").waitFor({ state: "detached" });
    const [sent] = await Promise.all([
      page.waitForRequest((request) => request.url().endsWith("/api/workers")),
      dialog.getByRole("button", { name: "Start", exact: true }).click(),
    ]);
    expect(sent.postDataJSON()).toEqual({
      agent: "demo",
      prompt: "Plan the shop",
      cwd: engine,
      mode: "plan",
    });
    await dialog.waitFor({ state: "detached" });
    expect(server.sessions[0]?.record().worker).toMatchObject({ mode: "plan" });
  });

  test("that start only in part say so, and the others are started next", async () => {
    await using visited = await visit(browser, "#/board");
    const { page, server } = visited;
    addRepository(visited);
    await page.keyboard.press("x");
    const dialog = page.getByRole("dialog", { name: "New worker" });
    await dialog.getByLabel("Task").fill("Count to two");
    await dialog.getByLabel("Working directory").fill(engine);
    await dialog.getByLabel("Tries").selectOption("2");
    server.onPrompt = () => {
      server.onPrompt = () => undefined;
      server.git.refusal = {
        code: "WORKSPACE_FAILED",
        message: "Another git is running. Run `rm index.lock`.",
      };
    };
    await dialog.getByLabel("Task").press("Control+Enter");
    await dialog.getByText("1 of 2 workers started.").waitFor();
    await dialog.getByText("rm index.lock").waitFor();
    await dialog.getByRole("button", { name: "Start the other 1" }).click();
    await dialog.waitFor({ state: "detached" });
    expect(new Set(server.sessions.map((session) => session.record().worker?.batch)).size).toBe(1);
    expect(server.sessions).toHaveLength(2);
  });

  test("are compared side by side and as a diff, one is accepted, and the others are discarded", async () => {
    await using visited = await visit(browser);
    const { page, server } = visited;
    const { long } = await twoTries(visited);
    const tries = page.getByRole("list", { name: "Tries" });
    await tries.getByRole("listitem", { name: "Try 1" }).getByText("briefly").waitFor();
    await tries.getByRole("listitem", { name: "Try 2" }).getByText('"lines": 2').waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    expect(await lookFindings(page)).toEqual([]);

    await button(page, "Differences").click();
    await page.getByText("two!").first().waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await page.getByLabel("To", { exact: true }).selectOption({ label: "Try 1" });
    await page.getByText("The same try twice").waitFor();
    await button(page, "Side by side").click();

    await tries
      .getByRole("listitem", { name: "Try 2" })
      .getByRole("button", { name: "Accept this one" })
      .click();
    await tries.getByRole("listitem", { name: "Try 2" }).getByText("Accepted").waitFor();
    // Another project has a batch of the same name.
    addWorker(visited, "elsewhere", { projectId: "prj_other", worker: { batch: "b1" } });
    await tries.getByRole("listitem", { name: "Try 3" }).waitFor();
    await button(page, "Discard the others…").click();
    const dialog = page.getByRole("dialog", { name: "Discard the other try?" });
    await dialog.getByText("drover/short").waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Discard", exact: true }).click();
    await dialog.getByText("kept as refs/drover/kept/short").waitFor();
    await dialog.getByRole("button", { name: "Close" }).last().click();
    expect(server.sessions.map((session) => session.record().name).sort()).toEqual(["elsewhere", "long"]);
    expect(long.session.state.review?.state).toBe("accepted");
    expect(visited.complaints).toEqual([]);
  });

  test("are below each other on a phone, and a batch without tries says so", async () => {
    await using visited = await visit(browser);
    const { page, server } = visited;
    await twoTries(visited);
    await page.setViewportSize({ width: 390, height: 780 });
    const [first, second] = await Promise.all(
      ["Try 1", "Try 2"].map((name) => page.getByRole("listitem", { name }).boundingBox()),
    );
    expect(second?.x).toBe(first?.x);
    expect(await seriousFindings(page)).toEqual([]);
    expect(await lookFindings(page)).toEqual([]);
    await page.goto(`${server.url}/#/board/unknown`);
    await page.getByText("No tries found").waitFor();
  });
});
