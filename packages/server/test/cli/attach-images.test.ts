import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { suite } from "./suite.ts";

const t = suite();

const png = Buffer.from("\x89PNG\r\n\x1a\nrest", "latin1");

test("send --attach sends images with the message", async () => {
  const files = ["one.png", "two.png"].map((name) => join(t.home, name));
  for (const file of files) await writeFile(file, png);
  const args = files.flatMap((file) => ["--attach", file]);
  expect((await t.run("send", "brave-otter", "look", ...args)).code).toBe(0);
  const sent = await t.server.wasAsked("POST", /messages$/);
  const image = { mediaType: "image/png", data: png.toString("base64") };
  expect(sent.body).toMatchObject({
    content: "look",
    attachments: [
      { name: "one.png", ...image },
      { name: "two.png", ...image },
    ],
  });
});

test("what can't be attached is said before anything is sent", async () => {
  const file = join(t.home, "notes.png");
  await writeFile(file, "<svg/>");
  const refused = await t.run("send", "brave-otter", "look", "--attach", file);
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining("is not an image") });
  const missing = await t.run("send", "brave-otter", "look", "--attach", join(t.home, "none.png"));
  expect(missing).toMatchObject({ code: 2, stderr: expect.stringContaining("Cannot read") });
});
