import type { Queue, Session } from "@drover/core";
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

const notes = { name: "notes.txt", type: "", base64: Buffer.from("naïve notes").toString("base64") };
const dot = { name: "dot.png", type: "image/png", base64: png };

describe.skipIf(!findChromium())("files in messages (need chromium)", () => {
  const browser = sharedBrowser();

  test("a pasted image and a dropped text file are sent with the message and shown in the transcript", async () => {
    await using visited = await visitServer(browser);
    const { page, complaints, server } = visited;
    const { name } = await newSession(visited);
    await page.goto(`${server.url}/#/s/${name}`);
    await message(page).waitFor();
    await insertFiles(message(page), "paste", [dot]);
    await page.getByRole("img", { name: "dot.png" }).waitFor();
    await insertFiles(message(page), "drop", [{ ...dot, name: "second.png" }]);
    await button(page, "Remove second.png").click();
    await insertFiles(message(page), "drop", [notes]);
    await button(page, "Remove notes.txt").waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await message(page).fill("say hello");
    await message(page).press("Enter");
    await page.getByText("I see an image (image/png").waitFor();
    const shown = page.getByRole("article", { name: "You" }).getByRole("img", { name: "dot.png" });
    await expect.poll(() => shown.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(1);
    expect(await button(page, "Remove dot.png").count()).toBe(0);
    expect(await message(page).inputValue()).toBe("");
    await page.reload();
    await shown.waitFor();
    await page.getByRole("article", { name: "You" }).getByText("notes.txt").click();
    await page.getByText("naïve notes", { exact: true }).waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });

  test("the first message of a session can have files, and a removed message comes back with them", async () => {
    await using visited = await visitServer(browser);
    const { page, client, work, complaints } = visited;
    await button(page, "New session").first().click();
    await page.getByLabel("Working directory").fill(work);
    await insertFiles(page.getByLabel("Prompt"), "paste", [dot]);
    await insertFiles(page.getByLabel("Prompt"), "drop", [notes]);
    await button(page, "Remove dot.png").waitFor();
    await button(page, "Remove notes.txt").waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await page.getByLabel("Prompt").fill("hang");
    await button(page, "Start").click();
    const first = page.getByRole("article", { name: "You" });
    await first.getByRole("img", { name: "dot.png" }).waitFor();
    await first.getByText("notes.txt").waitFor();
    await insertFiles(message(page), "paste", [dot]);
    await button(page, "Remove dot.png").waitFor();
    await message(page).fill("say look");
    await message(page).press("Enter");
    await button(page, "Remove").click();
    await button(page, "Undo").click();
    await page.getByRole("region", { name: "Queue" }).getByText("1 file").waitFor();
    const [session] = (await client.get<{ sessions: Session[] }>("/api/sessions")).sessions;
    const { messages } = await client.get<Queue>(`/api/sessions/${session?.id}/queue`);
    expect(messages).toMatchObject([{ content: "say look", attachments: [{ name: "dot.png" }] }]);
    expect(complaints).toEqual([]);
  });

  const refused: { what: string; details: Partial<Session>; file: typeof dot; expected: RegExp }[] = [
    {
      what: "a file that only claims to be an image",
      details: {},
      file: { ...dot, base64: btoa("\0") },
      expected: /dot\.png is neither an image \(PNG, JPEG, GIF, WEBP\) nor a text file/,
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
      expect(await page.getByLabel("Attached files").count()).toBe(0);
    },
  );
});
