import type { Answers, Question } from "../interaction.ts";

/** A person's answers as the prompt that continues a conversation which ended in questions. */
export function formatAnswersAsPrompt(questions: readonly Question[], answers: Answers): string {
  const answered = questions.flatMap(({ id, question }) => {
    const answer = answers[id];
    if (answer === undefined) return [];
    return [`Question: ${question}\nAnswer: ${typeof answer === "string" ? answer : answer.join(", ")}`];
  });
  return ["Here are the answers to your questions. Continue your task.", ...answered].join("\n\n");
}
