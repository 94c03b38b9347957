import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { suite } from "./suite.ts";

const t = suite();

const png = Buffer.from("\x89PNG\r\n\x1a\nrest", "latin1");

test("send --attach sends images and text files with the message", async () => {
  const files = ["one.png", "notes.txt"].map((name) => join(t.home, name));
  for (const [at, content] of [png, "é"].entries()) await writeFile(files[at] ?? "", content);
  const args = files.flatMap((file) => ["--attach", file]);
  expect((await t.run("send", "brave-otter", "look", ...args)).code).toBe(0);
  const sent = await t.server.wasAsked("POST", /messages$/);
  const image = { mediaType: "image/png", data: png.toString("base64") };
  expect(sent.body).toMatchObject({
    content: "look",
    attachments: [
      { name: "one.png", ...image },
      { name: "notes.txt", mediaType: "text/plain", data: Buffer.from("é").toString("base64") },
    ],
  });
});

test("what can't be attached is said before anything is sent", async () => {
  const file = join(t.home, "tool.bin");
  await writeFile(file, "\0");
  const refused = await t.run("send", "brave-otter", "look", "--attach", file);
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining("is neither an image") });
  const missing = await t.run("send", "brave-otter", "look", "--attach", join(t.home, "none.png"));
  expect(missing).toMatchObject({ code: 2, stderr: expect.stringContaining("Cannot read") });
});
