import { type Answers, exactText, type Interaction, type Question } from "@drover/core";
import { useRef, useState } from "react";
import { Keys } from "../keyboard/keys.tsx";
import { useBegun } from "../state/begun.ts";
import { useDrover } from "../state/drover.ts";
import { Button } from "../ui/button.tsx";
import { useAction } from "../ui/use-action.ts";
import { Card } from "./card.tsx";

interface Draft {
  readonly chosen: readonly string[];
  readonly text: string;
}
const emptyDraft: Draft = { chosen: [], text: "" };

export function QuestionCard({ interaction }: { interaction: Interaction }) {
  const drover = useDrover();
  const { run, ...answer } = useAction();
  const { busy } = answer;
  const [drafts = {}, setDrafts] = useBegun<Readonly<Record<string, Draft>>>(interaction.id, "answers");
  const [entered, setEntered] = useState<string>();
  const form = useRef<HTMLFormElement>(null);
  const questions = interaction.questions ?? [];
  const answers = readAnswers(questions, drafts);
  const unanswered = questions.find(({ id }) => answers[id] === undefined);
  /** Whose options the number keys choose: the question somebody is at, else the first without an answer. */
  const current = questions.find(({ id }) => id === entered) ?? unanswered ?? questions[0];

  const send = (given: Answers) => {
    if (!busy) void run(() => drover.answer(interaction, given));
  };
  /** Sends the answers, or leads to the question that still needs one. */
  const submit = () => {
    if (!unanswered) return send(answers);
    const fields = form.current?.querySelectorAll("fieldset") ?? [];
    fields[questions.indexOf(unanswered)]?.querySelector("input")?.focus();
  };
  /** The only answer needed is sent at once; where several may be chosen, the keys stay until Enter. */
  const choose = ({ key }: KeyboardEvent) => {
    const label = current?.options[Number(key) - 1]?.label;
    if (!current || label === undefined) return;
    if (questions.length === 1 && !current.multiSelect) return send({ [current.id]: label });
    const draft = drafts[current.id] ?? emptyDraft;
    setDrafts({ ...drafts, [current.id]: chosen(current, draft, label) });
    setEntered(current.multiSelect ? current.id : undefined);
  };
  return (
    <Card
      interaction={interaction}
      keys={{ option: choose, answer: submit }}
      answer={answer}
      hints={[["answer", "answer"]]}
    >
      <form
        ref={form}
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        {questions.map((question) => (
          <QuestionField
            key={question.id}
            question={question}
            draft={drafts[question.id] ?? emptyDraft}
            takesKeys={question === current}
            onEnter={() => setEntered(question.id)}
            onChange={(draft) => setDrafts({ ...drafts, [question.id]: draft })}
          />
        ))}
        <footer>
          <Button
            type="submit"
            look="primary"
            className="max-md:w-full"
            disabled={busy || unanswered !== undefined}
          >
            Answer
          </Button>
        </footer>
      </form>
    </Card>
  );
}

interface QuestionFieldProps {
  readonly question: Question;
  readonly draft: Draft;
  /** Number keys choose its options. */
  readonly takesKeys: boolean;
  readonly onEnter: () => void;
  readonly onChange: (draft: Draft) => void;
}

function QuestionField({ question, draft, takesKeys, onEnter, onChange }: QuestionFieldProps) {
  const { id, header, options, multiSelect } = question;
  return (
    <fieldset className="grid min-w-0 gap-2" onFocus={onEnter}>
      <legend className="mb-2 break-words text-base">
        {header && <span className="mr-2 text-muted text-xs">{exactText(header)}</span>}
        {exactText(question.question)}
      </legend>
      {options.map(({ label, description }, index) => (
        <label
          key={label}
          className="flex items-start gap-2.5 rounded-md border border-line bg-canvas px-3 py-2 max-md:py-2.5 hover:bg-hover has-checked:border-ink"
        >
          <input
            type={multiSelect ? "checkbox" : "radio"}
            name={id}
            checked={draft.chosen.includes(label)}
            onChange={() => onChange(chosen(question, draft, label))}
            className="mt-[3px] size-3.5 accent-ink"
          />
          <span className="min-w-0 break-words">
            {exactText(label)}
            {description && <span className="block text-muted text-xs">{exactText(description)}</span>}
          </span>
          {takesKeys && index < 9 && (
            <span aria-hidden="true" className="ml-auto hidden md:group-focus-within/card:block">
              <Keys of={String(index + 1)} />
            </span>
          )}
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

/** With an option chosen; chosen again it is none, where there may be several. One answer only: it replaces words. */
function chosen({ multiSelect }: Question, draft: Draft, label: string): Draft {
  if (!multiSelect) return { chosen: [label], text: "" };
  const others = draft.chosen.filter((one) => one !== label);
  return { chosen: others.length < draft.chosen.length ? others : [...others, label], text: draft.text };
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
