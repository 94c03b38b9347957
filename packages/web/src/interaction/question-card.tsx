import type { Answers, Interaction, Question } from "@drover/core";
import { type FormEvent, useState } from "react";
import { exactText } from "../format/terminal.ts";
import { useDrover } from "../state/drover.ts";
import { Button } from "../ui/button.tsx";
import { ProblemText } from "../ui/problem.tsx";
import { useAction } from "../ui/use-action.ts";
import { Card } from "./card.tsx";

interface Draft {
  readonly chosen: readonly string[];
  readonly text: string;
}
const emptyDraft: Draft = { chosen: [], text: "" };

export function QuestionCard({ interaction }: { interaction: Interaction }) {
  const drover = useDrover();
  const { busy, problem, run } = useAction();
  const [drafts, setDrafts] = useState<Readonly<Record<string, Draft>>>({});
  const questions = interaction.questions ?? [];
  const answers = readAnswers(questions, drafts);
  const complete = Object.keys(answers).length === questions.length;

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (complete && !busy) void run(() => drover.answer(interaction, answers));
  };
  return (
    <Card interaction={interaction} heading={`${interaction.agent} asks`} keys={{}}>
      <form className="grid gap-4" onSubmit={submit}>
        {questions.map((question) => (
          <QuestionField
            key={question.id}
            question={question}
            draft={drafts[question.id] ?? emptyDraft}
            onChange={(draft) => setDrafts({ ...drafts, [question.id]: draft })}
          />
        ))}
        <footer className="flex items-center gap-2">
          <Button type="submit" look="primary" disabled={busy || !complete}>
            Answer
          </Button>
        </footer>
      </form>
      <ProblemText problem={problem} />
    </Card>
  );
}

interface QuestionFieldProps {
  readonly question: Question;
  readonly draft: Draft;
  readonly onChange: (draft: Draft) => void;
}

function QuestionField({ question, draft, onChange }: QuestionFieldProps) {
  const { id, header, options, multiSelect } = question;
  const choose = (label: string, checked: boolean) => {
    const others = multiSelect ? draft.chosen.filter((one) => one !== label) : [];
    // One answer only: an option takes the place of words, and words that of an option.
    onChange({ chosen: checked ? [...others, label] : others, text: multiSelect ? draft.text : "" });
  };
  return (
    <fieldset className="grid min-w-0 gap-2">
      <legend className="mb-2 break-words text-base">
        {header && <span className="mr-2 text-muted text-xs">{exactText(header)}</span>}
        {exactText(question.question)}
      </legend>
      {options.map(({ label, description }) => (
        <label
          key={label}
          className="flex items-start gap-2.5 rounded-md border border-line bg-canvas px-3 py-2 hover:bg-hover has-checked:border-ink"
        >
          <input
            type={multiSelect ? "checkbox" : "radio"}
            name={id}
            checked={draft.chosen.includes(label)}
            onChange={(event) => choose(label, event.target.checked)}
            className="mt-[3px] size-3.5 accent-ink"
          />
          <span className="min-w-0 break-words">
            {exactText(label)}
            {description && <span className="block text-muted text-xs">{exactText(description)}</span>}
          </span>
        </label>
      ))}
      <input
        className="field"
        aria-label={options.length > 0 ? "Another answer" : "Your answer"}
        placeholder={options.length > 0 ? "Another answer" : "Your answer"}
        value={draft.text}
        onChange={({ target }) => onChange({ chosen: multiSelect ? draft.chosen : [], text: target.value })}
      />
    </fieldset>
  );
}

/** The answers given so far; a question without one is left out. */
function readAnswers(questions: readonly Question[], drafts: Readonly<Record<string, Draft>>): Answers {
  const answers: Answers = {};
  for (const { id, multiSelect } of questions) {
    const { chosen, text } = drafts[id] ?? emptyDraft;
    const given = [...chosen, ...(text.trim() ? [text.trim()] : [])];
    if (given[0] !== undefined) answers[id] = multiSelect ? given : given[0];
  }
  return answers;
}
