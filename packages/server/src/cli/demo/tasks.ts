/** A task for a demo agent, and what a person does about it. */
export interface DemoTask {
  readonly title: string;
  /** The demo agent's script: what follows a `pause` is done after an answer, a review or failed checks. */
  readonly prompt: string;
  /** The answer to its question. */
  readonly answer?: string;
  /** What the person wants to be different when they first see the work. */
  readonly changes?: string;
  /** The title of the task that is merged first. */
  readonly after?: string;
}

const listOfChanges = "Start a list of changes";

/** One asks a question, one has a bug that the checks find, one has to do more, and two change the same file. */
export const demoTasks: readonly DemoTask[] = [
  {
    title: "Keep accented letters",
    prompt: `slow 40
think Accents are dropped: normalize the title first, then remove the marks.
read src/slug.js
edit src/slug.js s#.toLowerCase()#.normalize("NFD").replace(/\\p{M}/gu, "").toLowerCase()#
write test/accents.test.js
\`\`\`
import assert from "node:assert/strict";
import { test } from "node:test";
import { slug } from "../src/slug.js";

test("accented letters are kept without their accents", () => {
  assert.equal(slug("Café Zoë"), "cafe-zoe");
});
\`\`\`
signal done "Café" becomes "cafe" now, and there is a test for it.`,
  },
  {
    title: "Limit the length of a slug",
    answer: "80 characters",
    prompt: `slow 40
read README.md
say The README does not say how long a slug may be.
signal questions How long may a slug be? | 40 characters | 80 characters
pause
say So it is 80 characters.
write src/shorten.js
\`\`\`
const maxLength = 80;

/** A slug of at most 80 characters, which ends with a whole word if possible. */
export function shorten(slug) {
  if (slug.length <= maxLength) return slug;
  const end = slug.lastIndexOf("-", maxLength);
  return slug.slice(0, end > 0 ? end : maxLength);
}
\`\`\`
write test/shorten.test.js
\`\`\`
import assert from "node:assert/strict";
import { test } from "node:test";
import { shorten } from "../src/shorten.js";

test("a long slug ends with a whole word", () => {
  assert.equal(shorten("word-".repeat(20)), "word-".repeat(16).slice(0, -1));
  assert.equal(shorten("x".repeat(99)).length, 80);
});
\`\`\`
signal done A slug has at most 80 characters.`,
  },
  {
    title: "Turn a slug into a title",
    prompt: `slow 40
read src/slug.js
write src/title.js
\`\`\`
/** The words of a slug as a title. */
export function title(slug) {
  const words = slug.replace("-", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}
\`\`\`
write test/title.test.js
\`\`\`
import assert from "node:assert/strict";
import { test } from "node:test";
import { title } from "../src/title.js";

test("a slug becomes a title", () => {
  assert.equal(title("a-small-world"), "A small world");
});
\`\`\`
signal done \`title\` turns a slug into a title.
pause
say The test is right: only the first hyphen was replaced.
edit src/title.js s/replace(/replaceAll(/
signal done \`title\` replaces every hyphen now.`,
  },
  {
    title: "Explain how to use it",
    changes: "Please show what happens to punctuation, too.",
    prompt: `slow 40
read README.md
write docs/usage.md
\`\`\`
# Usage

    import { slug } from "slug";
    slug("Small World"); // small-world
\`\`\`
signal done There is a page about its use.
pause
write docs/usage.md
\`\`\`
# Usage

    import { slug } from "slug";
    slug("Small World"); // small-world

Anything but letters and digits becomes a hyphen:

    slug("What? Again!"); // what-again
\`\`\`
signal done The page says what happens to punctuation.`,
  },
  {
    title: listOfChanges,
    prompt: `slow 40
write CHANGES.md
\`\`\`
# Changes

- Accented letters are kept.
\`\`\`
signal done There is a list of changes.`,
  },
  {
    title: "Announce the first release",
    after: listOfChanges,
    prompt: `slow 40
write CHANGES.md
\`\`\`
# Changes

## 1.0.0

- Slugs can be turned into titles.
\`\`\`
signal done The first release is announced.
pause
read CHANGES.md
say Both belong into the list.
write CHANGES.md
\`\`\`
# Changes

## 1.0.0

- Accented letters are kept.
- Slugs can be turned into titles.
\`\`\`
signal done The list has both entries.`,
  },
];

/** The files that the tasks add to the project. */
export const addedFiles: readonly string[] = [
  ...new Set(
    demoTasks.flatMap(({ prompt }) => [...prompt.matchAll(/^write (\S+)$/gm)].map(([, path = ""]) => path)),
  ),
];
