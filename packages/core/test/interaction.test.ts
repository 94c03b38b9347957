import { matchAnswers, type Question } from "@drover/core";
import { describe, expect, it } from "vitest";

describe("answers to questions", () => {
  const ask = (id: string, header?: string): Question => ({
    id,
    ...(header ? { header } : {}),
    question: `About ${id}?`,
    options: [],
    multiSelect: false,
  });

  it("H4 go to the question with that id, even if it is another question's header", () => {
    const questions = [ask("delete", "keep"), ask("keep", "delete")];
    const answers = { delete: "no", keep: "yes" };
    expect(matchAnswers(questions, answers)).toMatchObject({ ok: true, value: answers });
  });

  it("H4 are required even for an id that every object inherits, such as constructor", () => {
    expect(matchAnswers([ask("constructor")], {})).toMatchObject({ ok: false });
    expect(matchAnswers([ask("constructor")], { constructor: "yes" })).toMatchObject({ ok: true });
  });
});
