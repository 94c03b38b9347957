import { expect, test } from "vitest";
import { withFiles } from "../../src/prompt/files.ts";

test("a message without files stays as it is", () => {
  expect(withFiles("Look at this")).toBe("Look at this");
});

test("text files follow the message, each with its name, in a fence that nothing in it ends", () => {
  const files = [
    { name: "notes.txt", text: "one\ntwo\n" },
    { name: "README.md", text: "````js\n```\n````" },
  ];
  expect(withFiles("Look", files)).toBe(
    "Look\n\nnotes.txt:\n```\none\ntwo\n```\n\nREADME.md:\n`````\n````js\n```\n````\n`````",
  );
});
