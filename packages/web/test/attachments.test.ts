import type { Session } from "@drover/core";
import type { Locator, Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { findChromium } from "../../../test/kit/programs.ts";
import { seriousFindings } from "./axe.ts";
import { capabilities } from "./fixture/facts.ts";
import { FixtureSession } from "./fixture/session.ts";
import { newSession, visitServer } from "./real-visit.ts";
import { sharedBrowser } from "./shared-browser.ts";
import { button, visit } from "./visit.ts";

const png =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

const message = (page: Page) => page.getByLabel("Message", { exact: true });

/** Drops or pastes files into the composer, with the events a browser sends. */
const insertFiles = (
  at: Locator,
  event: "paste" | "drop",
  files: { name: string; type: string; base64: string }[],
) =>
  at.evaluate(
    (field, { event, files }) => {
      const transfer = new DataTransfer();
      for (const { name, type, base64 } of files) {
        const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
        transfer.items.add(new File([bytes], name, { type }));
      }
      const how = { bubbles: true, cancelable: true };
      field.dispatchEvent(
        event === "paste"
          ? new ClipboardEvent("paste", { ...how, clipboardData: transfer })
          : new DragEvent("drop", { ...how, dataTransfer: transfer }),
      );
    },
    { event, files },
  );

const dot = { name: "dot.png", type: "image/png", base64: png };

describe.skipIf(!findChromium())("images in messages (need chromium)", () => {
  const browser = sharedBrowser();

  test("a pasted image is sent with the message and shown in the transcript", async () => {
    await using visited = await visitServer(browser);
    const { page, complaints, server } = visited;
    const { name } = await newSession(visited);
    await page.goto(`${server.url}/#/s/${name}`);
    await message(page).waitFor();
    await insertFiles(message(page), "paste", [dot]);
    await page.getByRole("img", { name: "dot.png" }).waitFor();
    await insertFiles(message(page), "drop", [{ ...dot, name: "second.png" }]);
    await button(page, "Remove second.png").click();
    expect(await seriousFindings(page)).toEqual([]);
    await message(page).fill("say hello");
    await message(page).press("Enter");
    await page.getByText("I see an image (image/png").waitFor();
    const shown = page.getByRole("article", { name: "You" }).getByRole("img", { name: "dot.png" });
    await expect.poll(() => shown.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(1);
    expect(await page.getByLabel("Attached images").count()).toBe(0);
    expect(await message(page).inputValue()).toBe("");
    await page.reload();
    await shown.waitFor();
    expect(complaints).toEqual([]);
  });

  test("the new-session dialog says that images come later", async () => {
    await using visited = await visit(browser);
    const { page } = visited;
    await button(page, "New session").first().click();
    await insertFiles(page.getByLabel("Prompt"), "paste", [dot]);
    await page.getByText("Start the session, then attach images to a message.").waitFor();
  });

  const refused: { what: string; details: Partial<Session>; file: typeof dot; expected: RegExp }[] = [
    {
      what: "a text file",
      details: {},
      file: { name: "a.txt", type: "text/plain", base64: btoa("hello") },
      expected: /a\.txt is not an image/,
    },
    {
      what: "a file that only claims to be an image",
      details: {},
      file: { ...dot, base64: btoa("<svg/>") },
      expected: /dot\.png is not an image/,
    },
    {
      what: "an image for an agent that accepts none",
      details: { capabilities: { ...capabilities, images: false } },
      file: dot,
      expected: /This agent can't take images\. Save them in the workspace and mention them with @\./,
    },
  ];
  test.each(refused)(
    "$what is not attached, and the page says what to do",
    async ({ details, file, expected }) => {
      await using visited = await visit(browser);
      const { page, server } = visited;
      server.add(new FixtureSession(details));
      await page.goto(`${server.url}/#/s/brave-otter`);
      await message(page).waitFor();
      await insertFiles(message(page), "drop", [file]);
      await page.getByText(expected).waitFor();
      expect(await page.getByLabel("Attached images").count()).toBe(0);
      expect(await button(page, "Attach images").count()).toBe(details.capabilities ? 0 : 1);
    },
  );
});
