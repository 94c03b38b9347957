import { expect, test } from "vitest";
import { type Review, type ReviewFacts, type ReviewState, reviewAfter } from "../src/index.ts";

const facts: ReviewFacts = { into: "main", ahead: 1, behind: 0, files: 1, added: 1, removed: 0, work: "a" };
const review = (state: ReviewState, more: Partial<Review> = {}): Review => ({ ...facts, state, ...more });
const nothing = { ...facts, ahead: 0, files: 0, added: 0 };

test.each<[string, Review | undefined, ReviewFacts, ReviewState]>([
  ["new work opens a review", undefined, facts, "open"],
  ["no work leaves none", undefined, nothing, "none"],
  [
    "an accepted one holds while the work is the same",
    review("accepted"),
    { ...facts, behind: 2 },
    "accepted",
  ],
  ["an accepted one opens again with new work", review("accepted"), { ...facts, work: "b" }, "open"],
  [
    "requested changes are requested until the work changes",
    review("changes_requested"),
    facts,
    "changes_requested",
  ],
  ["a rejected one opens again with new work", review("rejected"), { ...facts, work: "b" }, "open"],
  ["a refresh does not end a merge in progress", review("merging"), { ...facts, work: "b" }, "merging"],
  ["a merged one stays merged without new work", review("merged"), nothing, "merged"],
  ["a merged one opens again with new work", review("merged"), { ...facts, work: "b" }, "open"],
  ["without work there is nothing left to accept", review("accepted"), nothing, "none"],
])("%s", (...[, before, now, state]) => {
  expect(reviewAfter(before, now)).toEqual({ ...now, state });
});

test("checks hold while the work is the same, and while they run", () => {
  const checks = { state: "running", command: "npm test" } as const;
  const changed = { ...facts, work: "b" };
  expect(reviewAfter(review("open", { checks }), facts).checks).toEqual(checks);
  expect(reviewAfter(review("merging", { checks }), changed).checks).toEqual(checks);
  expect(reviewAfter(review("open", { checks }), changed).checks).toBeUndefined();
});

test("the last merge and the pull request stay known", () => {
  const known = { mergedAs: "c0ffee", pullRequest: "https://example.test/1" };
  expect(reviewAfter(review("merged", known), { ...facts, work: "b" })).toMatchObject(known);
});

test("a merged one names the branch that it was merged into, whatever the target is, until there is new work", () => {
  const elsewhere = { ...nothing, into: "release", behind: 7 };
  expect(reviewAfter(review("merged"), elsewhere)).toMatchObject({ into: "main", behind: 0 });
  expect(reviewAfter(review("merged"), { ...elsewhere, files: 1 })).toMatchObject({
    into: "release",
    behind: 7,
  });
});
