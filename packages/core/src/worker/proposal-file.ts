import { bounds } from "../bounds.ts";
import { excess } from "../size.ts";
import {
  type ProposalKind,
  type ProposalText,
  proposalActions,
  proposalFolder,
  type proposalStates,
} from "./proposal.ts";
import { cleanText } from "./signal.ts";

/** A run's files with proposals that are read, and how large each may be. */
export const maxProposals = 200;
export const maxProposalBytes = 256 * 1024;

/** A file that a worker left among its proposals. */
export interface ProposalFile {
  readonly kind: ProposalKind;
  readonly name: string;
  readonly size: number;
  /** Its front matter as data; undefined without any. */
  readonly front?: unknown;
  readonly body: string;
  /** Why it could not be read, as a sentence. */
  readonly problem?: string;
}

/** A proposal before it has an id. */
export type ProposalDraft = Omit<ProposalText, "id" | "sessionId" | "run" | "createdAt">;

type State = (typeof proposalStates)[number];

const limits = { title: 500, meta: 64 * 1024, entries: 1_000 };

/** The proposal in a file. One that cannot be used is kept, with its problem. */
export function draftOf({ kind, name, size, front, body, problem }: ProposalFile): ProposalDraft {
  const text = cleanText(body, Number.POSITIVE_INFINITY);
  const file = `${proposalFolder(kind)}/${name}`;
  const untitled = headingOf(text) ?? oneLine(name.replace(/\.md$/, ""));
  const read = problem === undefined ? fieldsIn(front) : problem;
  const common = { kind, file, size, body: text };
  if (typeof read === "string")
    return { ...common, action: "create", title: untitled, meta: {}, state: "invalid", problem: read };
  const { title = untitled, ...fields } = read;
  return { ...common, ...fields, title, state: "open" };
}

type Fields = Pick<ProposalDraft, "action" | "targetId" | "meta"> & { readonly title?: string };

/** What front matter says, or its problem. */
function fieldsIn(front: unknown): Fields | string {
  if (front === undefined || front === null) return { action: "create", meta: {} };
  if (typeof front !== "object" || Array.isArray(front)) return "Its front matter has no fields.";
  if (excess(front, { size: limits.meta, entries: limits.entries }))
    return "Its front matter is too large or nested too deeply.";
  if (Object.hasOwn(front, "__proto__")) return 'Its front matter has a field "__proto__".';
  const { title, action = "create", targetId, ...meta } = front as Record<string, unknown>;
  if (title !== undefined && typeof title !== "string") return 'Its "title" is not a text; put it in quotes.';
  const known = proposalActions.find((one) => one === action);
  if (!known) return `Its "action" must be one of: ${proposalActions.join(", ")}.`;
  const line = oneLine(title ?? "");
  const said = { action: known, meta, ...(line === "" ? {} : { title: line }) };
  if (targetId === undefined)
    return known === "create" ? said : `A proposal with the action "${known}" needs a "targetId".`;
  const isId = typeof targetId === "string" && targetId !== "" && targetId.length <= bounds.id;
  return isId ? { ...said, targetId } : 'Its "targetId" is not an id.';
}

function headingOf(text: string): string | undefined {
  const [, words = ""] = /^#{1,6}[ \t](.{1,1000})/m.exec(text) ?? [];
  return oneLine(words.replace(/[ \t]#+[ \t]*$/, "")) || undefined;
}

function oneLine(text: string): string {
  const line = text
    .slice(0, 4 * limits.title)
    .replaceAll(/\s+/g, " ")
    .trim();
  return (line.length > limits.title ? `${line.slice(0, limits.title - 1)}…` : line)
    .replaceAll("\0", "")
    .toWellFormed();
}

/** Of the open ones with the same kind and title, the last counts. */
export function withoutRepeats(drafts: readonly ProposalDraft[]): ProposalDraft[] {
  const last = new Map<string, ProposalDraft>();
  for (const draft of drafts) if (draft.state === "open") last.set(subjectOf(draft), draft);
  return drafts.map((draft) =>
    draft.state === "open" && last.get(subjectOf(draft)) !== draft
      ? { ...draft, state: "superseded" }
      : draft,
  );
}

const subjectOf = ({ kind, title }: ProposalDraft): string =>
  `${kind} ${title.trim().normalize("NFC").toLowerCase()}`;

/** How many of the proposals are in a state. */
export const countIn = (proposals: readonly Pick<ProposalDraft, "state">[], state: State): number =>
  proposals.filter((proposal) => proposal.state === state).length;
