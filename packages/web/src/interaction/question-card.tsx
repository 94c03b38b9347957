import { type Answers, exactText, type Interaction, type Question } from "@drover/core";
import { useId, useRef, useState } from "react";
import { exactName } from "../format/exact-lines.ts";
import { Keys } from "../keyboard/keys.tsx";
import { useDrover } from "../state/drover.ts";
import { useAnswerDraft } from "../storage/answer-drafts.ts";
import { Button } from "../ui/button.tsx";
import { useAction } from "../ui/use-action.ts";
import { Card } from "./card.tsx";
import { ExactInput } from "./exact-input.tsx";

interface Draft {
  /** By number: two options may have the same label. */
  readonly chosen: readonly number[];
  readonly text: string;
}
const emptyDraft: Draft = { chosen: [], text: "" };

type Drafts = Readonly<Record<string, Draft>>;

/** Uses own properties only: a question's id may be `constructor`. */
const draftOf = (drafts: Drafts, { id }: Question): Draft =>
  (Object.hasOwn(drafts, id) ? drafts[id] : undefined) ?? emptyDraft;

export function QuestionCard({ interaction }: { interaction: Interaction }) {
  const drover = useDrover();
  const { run, ...answer } = useAction();
  const { busy } = answer;
  const [drafts = {}, setDrafts] = useAnswerDraft<Drafts>(interaction.id, "answers");
  const [entered, setEntered] = useState<string>();
  const form = useRef<HTMLFormElement>(null);
  const questions = interaction.questions ?? [];
  const answers = readAnswers(questions, drafts);
  const unanswered = questions.find(({ id }) => !Object.hasOwn(answers, id));
  /** The question that number keys answer: the one with focus, else the first unanswered one. */
  const current = questions.find(({ id }) => id === entered) ?? unanswered ?? questions[0];

  const send = (answers: Answers) => {
    if (!busy) void run(() => drover.answer(interaction, answers));
  };
  /** Sends the answers, or moves focus to the first unanswered question. */
  const submit = () => {
    if (!unanswered) return send(answers);
    const fields = form.current?.querySelectorAll("fieldset") ?? [];
    fields[questions.indexOf(unanswered)]?.querySelector("input")?.focus();
  };
  /** Chooses an option. Only Enter sends: a wrong number can still be corrected. */
  const choose = ({ key }: KeyboardEvent) => {
    const at = Number(key) - 1;
    if (!current || current.options[at] === undefined) return;
    const draft = draftOf(drafts, current);
    setDrafts({ ...drafts, [current.id]: chosen(current, draft, at) });
    // With one question, another number changes the choice; with several, it answers the next question.
    setEntered(current.multiSelect || questions.length === 1 ? current.id : undefined);
  };
  return (
    <Card
      interaction={interaction}
      keys={{ option: choose, answer: submit }}
      answer={answer}
      hints={[["answer", "answer"]]}
    >
      {interaction.input !== undefined && <ExactInput input={interaction.input} diffs={interaction.diffs} />}
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
            showsId={questions.some((other) => other !== question && looksLike(other, question))}
            draft={draftOf(drafts, question)}
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
  /** True when another question has the same text. */
  readonly showsId: boolean;
  readonly draft: Draft;
  /** True when number keys choose its options. */
  readonly takesKeys: boolean;
  readonly onEnter: () => void;
  readonly onChange: (draft: Draft) => void;
}

function QuestionField({ question, showsId, draft, takesKeys, onEnter, onChange }: QuestionFieldProps) {
  const { id, header, options, multiSelect, closed } = question;
  const name = useId();
  return (
    <fieldset className="grid min-w-0 gap-2" onFocus={onEnter}>
      <legend className="wrap-anywhere mb-2 whitespace-pre-wrap text-base">
        {header && <span className="mr-2 text-muted text-xs">{exactName(header)}</span>}
        {exactText(question.question)}
        {showsId && <span className="in-order ml-2 font-mono text-faint text-xs">{exactName(id)}</span>}
      </legend>
      {options.map(({ label, description }, index) => (
        <label
          // biome-ignore lint/suspicious/noArrayIndexKey: the options of a question never move
          key={index}
          className="flex items-start gap-2.5 rounded-md border border-line bg-canvas px-3 py-2 max-md:py-2.5 hover:bg-hover has-checked:border-ink"
        >
          <input
            type={multiSelect ? "checkbox" : "radio"}
            name={name}
            checked={draft.chosen.includes(index)}
            onChange={() => onChange(chosen(question, draft, index))}
            className="mt-[3px] size-3.5 accent-ink"
          />
          <span className="wrap-anywhere min-w-0">
            {label === "" ? <span className="text-muted">Empty answer</span> : exactName(label)}
            {description && (
              <span className="block whitespace-pre-wrap text-muted text-xs">{exactText(description)}</span>
            )}
            <SameAnswer options={options} at={index} />
          </span>
          {takesKeys && index < 9 && (
            <span aria-hidden="true" className="ml-auto hidden md:group-focus-within/card:block">
              <Keys of={String(index + 1)} />
            </span>
          )}
        </label>
      ))}
      {!closed && (
        <input
          className="field"
          aria-label={options.length > 0 ? "Other answer" : "Your answer"}
          placeholder={options.length > 0 ? "Other answer" : "Your answer"}
          value={draft.text}
          onChange={({ target }) => onChange({ chosen: multiSelect ? draft.chosen : [], text: target.value })}
        />
      )}
    </fieldset>
  );
}

/** Agents receive only the label, so options with equal labels give the same answer. */
function SameAnswer({ options, at }: { options: Question["options"]; at: number }) {
  const first = options.findIndex(({ label }) => label === options[at]?.label);
  if (first === at) return null;
  return <span className="block text-warn text-xs">Sends the same answer as option {first + 1}</span>;
}

const looksLike = (one: Question, other: Question) =>
  one.question === other.question && one.header === other.header;

/** The draft after choosing an option. Choosing toggles multi-select options; a single choice replaces the text. */
function chosen({ multiSelect }: Question, draft: Draft, at: number): Draft {
  if (!multiSelect) return { chosen: [at], text: "" };
  const others = draft.chosen.filter((one) => one !== at);
  return { chosen: others.length < draft.chosen.length ? others : [...others, at], text: draft.text };
}

/** The answers so far. Unanswered questions are omitted. */
function readAnswers(questions: readonly Question[], drafts: Drafts): Answers {
  const answers = questions.flatMap((question): [string, string | string[]][] => {
    const { chosen, text } = draftOf(drafts, question);
    const labels = chosen.flatMap((at) => question.options[at]?.label ?? []);
    const values = [...new Set([...labels, ...(text.trim() ? [text.trim()] : [])])];
    const [first] = values;
    return first === undefined ? [] : [[question.id, question.multiSelect ? values : first]];
  });
  return Object.fromEntries(answers);
}
