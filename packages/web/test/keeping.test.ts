import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { findChromium } from "../../../test/kit/programs.ts";
import { FixtureSession } from "./fixture/session.ts";
import { sharedBrowser } from "./shared-browser.ts";
import { visit } from "./visit.ts";

const composer = (page: Page) => page.getByLabel("Message", { exact: true });

describe.skipIf(!findChromium())("drafts (need chromium)", () => {
  const browser = sharedBrowser();

  async function open() {
    const visited = await visit(browser);
    const session = visited.server.add(new FixtureSession());
    await visited.page.goto(`${visited.server.url}/#/s/brave-otter`);
    await composer(visited.page).waitFor();
    return { ...visited, session };
  }

  test("can be typed and sent in a browser that stores only the login", async () => {
    await using visited = await open();
    const { page, session, complaints } = visited;
    await page.addInitScript(() => {
      const refuse = () => {
        throw new DOMException("denied", "SecurityError");
      };
      const { getItem } = Storage.prototype;
      Object.assign(Storage.prototype, {
        getItem(this: Storage, name: string) {
          return name === "drover:key" ? getItem.call(this, name) : refuse();
        },
        setItem: refuse,
        removeItem: refuse,
      });
      Object.defineProperty(window, "sessionStorage", { get: refuse });
    });
    await page.reload();
    await composer(page).pressSequentially("one two");
    expect(await composer(page).inputValue()).toBe("one two");
    await composer(page).press("Enter");
    await expect.poll(() => session.log.map(({ type }) => type)).toContain("message");
    expect(await composer(page).inputValue()).toBe("");
    expect(complaints).toEqual([]);
  });

  test("can be typed and sent in a browser whose storage is full", async () => {
    await using visited = await open();
    const { page, session, complaints } = visited;
    await page.evaluate(() => {
      for (const storage of [localStorage, sessionStorage]) {
        for (let size = 4_000_000, at = 0; size >= 1; at++) {
          try {
            storage.setItem(`filled ${at}`, "x".repeat(size));
          } catch {
            size = Math.floor(size / 2);
          }
        }
      }
    });
    await composer(page).pressSequentially("one two");
    expect(await composer(page).inputValue()).toBe("one two");
    await composer(page).press("Enter");
    await expect.poll(() => session.log.map(({ type }) => type)).toContain("message");
    expect(complaints).toEqual([]);
  });

  test("are sent once by another tab if their own was closed before the server returned", async () => {
    await using visited = await open();
    const { page, server, session } = visited;
    await server.crash();
    await page.getByText("Reconnecting…").waitFor();
    await composer(page).fill("first");
    await composer(page).press("Enter");
    await composer(page).fill("second");
    await composer(page).press("Enter");
    await expect.poll(() => page.getByText("Sending…").count()).toBe(2);
    const context = page.context();
    await page.close();
    await server.comeBack();
    const tabs = await Promise.all([context.newPage(), context.newPage()]);
    await Promise.all(tabs.map((tab) => tab.goto(`${server.url}/#/s/brave-otter`)));
    for (const tab of tabs) {
      await tab.getByRole("log").getByText("first", { exact: true }).waitFor();
      await tab.getByText("second", { exact: true }).first().waitFor();
      await expect.poll(() => tab.getByLabel("Sending").count()).toBe(0);
    }
    const sent = session.log.filter(({ type }) => type === "message" || type === "queue_update");
    expect(sent).toMatchObject([{ content: "first" }, { messages: [{ content: "second" }] }]);
    await tabs[0]?.reload();
    await tabs[0]?.getByText("second", { exact: true }).first().waitFor();
    expect(session.log.filter(({ type }) => type === "message" || type === "queue_update")).toHaveLength(2);
  });

  test("come back after a refused send without replacing what was typed since", async () => {
    await using visited = await open();
    const { page, server } = visited;
    server.sessions.length = 0;
    await composer(page).fill("refused words");
    await composer(page).press("Enter");
    await page.getByText(/^There is no session/).waitFor();
    await composer(page).fill("begun since");
    await page.getByLabel("Sending").getByRole("button", { name: "Edit" }).click();
    await expect.poll(() => composer(page).inputValue()).toBe("refused words\n\nbegun since");
    await page.getByLabel("Sending").waitFor({ state: "detached" });
  });

  test("L11 move to the composer when the message being edited leaves the queue", async () => {
    await using visited = await open();
    const { page, session } = visited;
    session.begin("go on");
    const message = { messageId: "msg_1", content: "as it was", by: "cli", at: new Date().toISOString() };
    session.emit({ type: "queue_update", paused: false, messages: [message] });
    await page.getByRole("region", { name: "Queue" }).getByRole("button", { name: "Edit" }).click();
    await page.getByRole("region", { name: "Queue" }).getByLabel("Message").fill("as it should be");
    session.emit({ type: "queue_update", paused: false, messages: [] });
    await page.getByText("Your edit is in the message field below.").waitFor();
    // The focus moves there too, and no letter becomes a shortcut.
    await page.keyboard.type(", and more");
    expect(await composer(page).inputValue()).toBe("as it should be, and more");
    expect(await page.getByRole("dialog").count()).toBe(0);
    await composer(page).press("Enter");
    await page.getByText("Your edit is in the message field below.").waitFor({ state: "detached" });
    expect(visited.complaints).toEqual([]);
  });

  test("can be very long, and start on the side their script starts on", async () => {
    await using visited = await open();
    const { page } = visited;
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.evaluate(() => navigator.clipboard.writeText("word ".repeat(420_000)));
    await composer(page).focus();
    await page.keyboard.press("Control+V");
    await page.keyboard.press("x");
    await page.getByText(/^Too long: /).waitFor();
    // The browser would detect the direction again with every letter, from the whole text.
    expect(await composer(page).getAttribute("dir")).toBe("ltr");
    await composer(page).fill("123 \u05e9\u05dc\u05d5\u05dd");
    expect(await composer(page).getAttribute("dir")).toBe("rtl");
  });

  test("of a new session survive closing its dialog, and are cleared once it has started", async () => {
    await using visited = await open();
    const { page } = visited;
    const prompt = page.getByLabel("Prompt");
    await composer(page).press("Escape");
    await page.keyboard.press("c");
    await prompt.fill("a long thought");
    await page.keyboard.press("Escape");
    await prompt.waitFor({ state: "detached" });
    await page.reload();
    await composer(page).waitFor();
    await page.keyboard.press("c");
    expect(await prompt.inputValue()).toBe("a long thought");
    await expect.poll(() => page.getByRole("button", { name: "Start" }).isEnabled()).toBe(true);
    await page.keyboard.press("Control+Enter");
    await page.getByRole("log").getByText("a long thought").first().waitFor();
    await prompt.waitFor({ state: "detached" });
    await page.keyboard.press("c");
    expect(await prompt.inputValue()).toBe("");
  });

  test("are not sent by the Enter that confirms an input method's word, nor left by its Escape", async () => {
    await using visited = await open();
    const { page, server } = visited;
    const keyboard = await page.context().newCDPSession(page);
    await composer(page).fill("kana: ");
    await composer(page).focus();
    await keyboard.send("Input.imeSetComposition", { text: "かな", selectionStart: 2, selectionEnd: 2 });
    await page.keyboard.press("Enter");
    await page.keyboard.press("Escape");
    expect(await composer(page).evaluate((field) => field === document.activeElement)).toBe(true);
    await keyboard.send("Input.insertText", { text: "仮名" });
    // Safari's order of events: the composition has ended, and this key ended it.
    await composer(page).evaluate((field) =>
      field.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", keyCode: 229, bubbles: true })),
    );
    expect(server.frames.filter(({ type }) => type === "session:send")).toEqual([]);
    await page.keyboard.press("Enter");
    await expect.poll(() => server.frames.filter(({ type }) => type === "session:send").length).toBe(1);
  });

  test("in two tabs of one session do not overwrite each other", async () => {
    await using visited = await open();
    const { page, server, session } = visited;
    const other = await page.context().newPage();
    await other.goto(`${server.url}/#/s/brave-otter`);
    await composer(page).fill("written here");
    // Nothing has been typed there yet, so it shows the stored draft.
    await expect.poll(() => composer(other).inputValue()).toBe("written here");
    await composer(other).fill("written there");
    session.begin("go on");
    session.say("and both are drawn again");
    for (const tab of [page, other]) await tab.getByText("and both are drawn again").waitFor();
    expect(await composer(page).inputValue()).toBe("written here");
    await composer(page).press("Enter");
    await page.getByText("written here", { exact: true }).first().waitFor();
    expect(await composer(page).inputValue()).toBe("");
    for (const tab of [page, other]) await tab.reload();
    await composer(other).waitFor();
    expect(await composer(other).inputValue()).toBe("written there");
    await composer(page).waitFor();
    expect(await composer(page).inputValue()).toBe("");
  });

  test("of answers are there in the session, in the inbox and after a reload, until sent or discarded", async () => {
    await using visited = await open();
    const { page, session, complaints } = visited;
    const reason = page.getByLabel(/^Reason/);
    const answer = page.getByLabel("Your answer");
    const toInbox = () => page.getByRole("link", { name: /^Inbox/ }).click();
    session.begin("work");
    session.ask("c1", { toolKind: "execute", input: { command: "make" } });
    session.question([{ id: "q1", question: "Which colour?", options: [], multiSelect: false }]);
    await page.getByRole("button", { name: "Deny with reason…" }).click();
    await reason.pressSequentially("not on a Friday");
    await answer.fill("the darkest green");

    await toInbox();
    await page.waitForURL(/#\/inbox$/);
    expect(await reason.inputValue()).toBe("not on a Friday");
    await page.reload();
    expect(await reason.inputValue()).toBe("not on a Friday");
    expect(await answer.inputValue()).toBe("the darkest green");

    await page.getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("button", { name: "Deny with reason…" }).click();
    expect(await reason.inputValue()).toBe("");
    await reason.fill("not this week");
    await page.goBack();
    await reason.press("Enter");
    // A click on the other card in the moment this one leaves is ignored.
    await reason.waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Answer" }).click();
    await expect
      .poll(() => session.resolved)
      .toMatchObject([
        { reason: "not this week", resolution: "denied" },
        { answers: { q1: "the darkest green" } },
      ]);
    const kept = () =>
      page.evaluate(() => Object.keys(sessionStorage).filter((key) => key.includes("answer-draft")));
    await expect.poll(kept).toEqual([]);
    expect(complaints).toEqual([]);
  });
});
