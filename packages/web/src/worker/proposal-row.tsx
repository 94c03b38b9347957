import { exactText, type Proposal, type ProposalText } from "@drover/core";
import { useState } from "react";
import { bytesWords } from "../format/bytes.ts";
import { useAnswer } from "../state/use-resource.ts";
import { MarkdownText } from "../transcript/markdown-text.tsx";
import { api, saveText } from "../transport/http.ts";
import { Button } from "../ui/button.tsx";
import { CopyButton } from "../ui/copy-button.tsx";
import { ChevronIcon } from "../ui/icons.tsx";
import { ProblemText } from "../ui/problem.tsx";
import { useAction } from "../ui/use-action.ts";

interface ProposalRowProps {
  readonly proposal: Proposal;
  readonly onDeleted: () => void;
}

const kindWords: Readonly<Record<Proposal["kind"], string>> = {
  phase: "Phase",
  task: "Task",
  page: "Page",
  decision: "Decision",
};

const actionWords: Readonly<Record<Proposal["action"], string>> = {
  create: "New",
  update: "Change",
  delete: "Remove",
};

/** One proposal on a line, with its text below once it is opened. */
export function ProposalRow({ proposal, onDeleted }: ProposalRowProps) {
  const { id, kind, action, targetId, title, problem, size, file } = proposal;
  const [isOpen, setIsOpen] = useState(false);
  return (
    <li aria-label={exactText(title)} className="grid gap-2 px-3.5 py-2.5">
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={() => setIsOpen(!isOpen)}
        className="flex min-w-0 items-center gap-2 text-left"
      >
        <span className={`shrink-0 text-muted ${isOpen ? "rotate-90" : ""}`}>
          <ChevronIcon size={12} />
        </span>
        <span className="wrap-anywhere min-w-0 flex-1 font-medium">{exactText(title)}</span>
        <span className="shrink-0 text-muted text-xs">
          {kindWords[kind]} · {actionWords[action]}
          {targetId === undefined ? "" : ` ${exactText(targetId)}`}
        </span>
      </button>
      {problem !== undefined && <p className="pl-5 text-sm text-warn">{exactText(problem)}</p>}
      {isOpen && (
        <OpenProposal id={id} title={title} onDeleted={onDeleted}>
          {`${exactText(file)}, ${bytesWords(size)}`}
        </OpenProposal>
      )}
    </li>
  );
}

interface OpenProposalProps extends Pick<Proposal, "id" | "title"> {
  readonly onDeleted: () => void;
  /** Where it is from. */
  readonly children: string;
}

function OpenProposal({ id, title, onDeleted, children }: OpenProposalProps) {
  const { value, problem } = useAnswer<ProposalText>(`/api/proposals/${id}`);
  const removal = useAction();
  const remove = async () => {
    if (await removal.run(() => api("DELETE", `/api/proposals/${id}`))) onDeleted();
  };
  return (
    <div className="grid gap-3 pl-5">
      {value &&
        (value.body.trim() === "" ? (
          <p className="text-muted">No text</p>
        ) : (
          <MarkdownText text={value.body} />
        ))}
      {value && Object.keys(value.meta).length > 0 && <Meta meta={value.meta} />}
      <div className="flex flex-wrap items-center gap-2">
        <span className="wrap-anywhere mr-auto min-w-0 font-mono text-faint text-xs">{children}</span>
        {value && (
          <>
            <CopyButton text={value.body} label="Copy text" />
            <Button onClick={() => saveText(value.body, fileNameOf(title))}>Save</Button>
          </>
        )}
        <Button look="danger" disabled={removal.busy} onClick={() => void remove()}>
          Delete
        </Button>
      </div>
      <ProblemText problem={problem ?? removal.problem} />
    </div>
  );
}

function Meta({ meta }: { meta: ProposalText["meta"] }) {
  return (
    <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-0.5 text-xs">
      {Object.entries(meta).map(([name, value]) => (
        <div key={name} className="contents">
          <dt className="text-muted">{exactText(name)}</dt>
          <dd className="wrap-anywhere">
            {exactText(typeof value === "string" ? value : JSON.stringify(value))}
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** A file name that every system takes. */
const fileNameOf = (title: string): string =>
  `${
    title
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, "-")
      .replace(/^-|-$/g, "")
      .slice(0, 60) || "proposal"
  }.md`;
