import type { Session } from "@drover/core";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { findChromium } from "../../../test/kit/programs.ts";
import { seriousFindings } from "./axe.ts";
import { FixtureSession } from "./fixture/session.ts";
import { sharedBrowser } from "./shared-browser.ts";
import { button, visit } from "./visit.ts";

const message = (page: Page) => page.getByLabel("Message", { exact: true });
/** Excludes the options of native selects. */
const options = (page: Page) => page.getByRole("listbox").getByRole("option");
const selected = (page: Page) => page.getByRole("listbox").getByRole("option", { selected: true });

describe.skipIf(!findChromium())("completion (needs chromium)", () => {
  const browser = sharedBrowser();

  async function composing(details: Partial<Session> = {}) {
    const visited = await visit(browser);
    const session = visited.server.add(new FixtureSession(details));
    session.begin("first words");
    session.end();
    await visited.page.goto(`${visited.server.url}/#/s/brave-otter`);
    await message(visited.page).waitFor();
    return { ...visited, session };
  }

  test("@ lists the workspace's files, to choose from with the keyboard", async () => {
    await using visited = await composing();
    const { page } = visited;
    await message(page).pressSequentially("look at @app");
    await options(page).nth(1).waitFor();
    const field = page.getByRole("combobox", { name: "Message" });
    expect(await options(page).allTextContents()).toEqual(["src/app.ts", "test/app.test.ts"]);
    const active = () => field.getAttribute("aria-activedescendant");
    expect(await selected(page).getAttribute("id")).toBe(await active());
    await field.press("ArrowDown");
    expect(await selected(page).textContent()).toBe("test/app.test.ts");
    expect(await selected(page).getAttribute("id")).toBe(await active());
    expect(await seriousFindings(page)).toEqual([]);
    await field.press("Enter");
    expect(await message(page).inputValue()).toBe("look at @test/app.test.ts ");
    expect(await options(page).count()).toBe(0);
    expect(await message(page).getAttribute("role")).toBeNull();
    expect(visited.server.frames.some(({ type }) => type === "session:send")).toBe(false);
    expect(visited.complaints).toEqual([]);
  });

  test("a name with a space is quoted, and a click keeps the focus in the field", async () => {
    await using visited = await composing();
    const { page } = visited;
    await message(page).pressSequentially("@notes");
    await options(page).first().click();
    await page.keyboard.type("too");
    expect(await message(page).inputValue()).toBe('@"src/my notes.md" too');
  });

  test("Escape first closes the list and then leaves the field; Arrow Up recalls only in an empty field", async () => {
    await using visited = await composing();
    const { page } = visited;
    await message(page).focus();
    await page.keyboard.press("ArrowUp");
    expect(await message(page).inputValue()).toBe("first words");
    expect(await options(page).count()).toBe(0);
    await message(page).fill("");
    await message(page).pressSequentially("@");
    await options(page).first().waitFor();
    await page.keyboard.press("ArrowUp");
    expect(await message(page).inputValue()).toBe("@");
    expect(await selected(page).textContent()).toBe("test/app.test.ts");
    await page.keyboard.press("Escape");
    expect(await options(page).count()).toBe(0);
    expect(await message(page).evaluate((field) => field === document.activeElement)).toBe(true);
    await page.keyboard.press("Escape");
    expect(await message(page).evaluate((field) => field === document.activeElement)).toBe(false);
  });

  test("in the new-session dialog, files come from its directory, and Escape keeps the dialog open", async () => {
    await using visited = await composing();
    const { page } = visited;
    await button(page, "New session").first().click();
    const asked = page.waitForRequest(/\/api\/files\?cwd=%2Fhome%2Fada%2Fengine&.*query=read$/);
    await page.getByLabel("Prompt").pressSequentially("fix @read");
    await asked;
    await options(page).first().waitFor();
    await page.keyboard.press("Escape");
    expect(await options(page).count()).toBe(0);
    await page.getByRole("dialog").waitFor();
    await page.getByLabel("Prompt").pressSequentially("m");
    await options(page).first().waitFor();
    await page.keyboard.press("Tab");
    expect(await page.getByLabel("Prompt").inputValue()).toBe("fix @README.md ");
  });

  test("a directory is completed while typing, recent ones first; Enter submits unless one is chosen", async () => {
    await using visited = await composing();
    const { page } = visited;
    await button(page, "New session").first().click();
    const field = page.getByLabel("Working directory");
    await field.fill("");
    await field.pressSequentially("/home/ada/e");
    await options(page).nth(1).waitFor();
    expect(await options(page).allTextContents()).toEqual(["/home/ada/engine", "/home/ada/essays"]);
    expect(await selected(page).count()).toBe(0);
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    expect(await field.inputValue()).toBe("/home/ada/essays");
    await page.getByRole("dialog").waitFor();
    expect(await seriousFindings(page)).toEqual([]);
  });

  test("a slash at the start lists the agent's commands; Enter sends one that is complete", async () => {
    const commands = [
      { name: "tour", description: "Show a little of everything" },
      { name: "stream", description: "Write some words", hint: "number of words" },
    ];
    await using visited = await composing({ commands });
    const { page, server } = visited;
    await message(page).pressSequentially("/");
    await options(page).nth(1).waitFor();
    expect(await options(page).first().textContent()).toContain("Show a little of everything");
    await page.keyboard.type("st");
    await page.keyboard.press("Tab");
    expect(await message(page).inputValue()).toBe("/stream ");
    await message(page).fill("");
    await page.keyboard.type("/tour");
    await page.getByRole("option", { name: "/tour" }).waitFor();
    await page.keyboard.press("Enter");
    await expect
      .poll(() => server.frames.filter(({ type }) => type === "session:send").map(({ content }) => content))
      .toEqual(["/tour"]);
  });

  test("on a phone the list stays on the screen and its rows are large enough to tap", async () => {
    await using visited = await composing();
    const { page } = visited;
    await page.setViewportSize({ width: 360, height: 640 });
    await message(page).pressSequentially("@");
    await options(page).first().waitFor();
    const list = await page.getByRole("listbox", { name: "Files" }).boundingBox();
    const row = await options(page).first().boundingBox();
    expect(list && list.x >= 0 && list.y >= 0 && list.x + list.width <= 360).toBe(true);
    expect(row?.height).toBeGreaterThanOrEqual(44);
  });
});
