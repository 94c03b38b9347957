import type { Offers, Question } from "@drover/core";
import { type Json, record, records, text } from "../json.ts";

/** One of the answers an agent offers to its permission request. */
interface Option {
  readonly id: string;
  readonly label: string;
  readonly refuses: boolean;
  /** The agent applies the answer to later calls too, and may write it into its own settings. */
  readonly remembered: boolean;
}

/** The options a person can choose from: those that apply once, or the lasting ones if there are no others. */
export interface PermissionOptions {
  readonly allowing: readonly Option[];
  readonly refusing: readonly Option[];
}

export function optionsOf(params: unknown): PermissionOptions {
  const offered = records(record(params)["options"]);
  return {
    allowing: ofKind(offered, "allow_once") ?? ofKind(offered, "allow_always") ?? [],
    refusing: ofKind(offered, "reject_once") ?? ofKind(offered, "reject_always") ?? [],
  };
}

/** Classified by kind: ids have meaning only for the agent. */
function ofKind(offered: readonly Json[], kind: string): Option[] | undefined {
  const options = offered.flatMap((option): Option[] => {
    const id = text(option["optionId"]);
    if (id === undefined || option["kind"] !== kind) return [];
    const label = text(option["name"]) || id;
    return [{ id, label, refuses: kind.startsWith("reject"), remembered: kind.endsWith("always") }];
  });
  return options.length > 0 ? options : undefined;
}

const CHOICE = "choice";
const WITHDRAW = "Deny";
const REMEMBERED = "The agent will remember this answer.";

/** Several ways to say yes make it a question. There is always a way to say no. */
export function choiceOf({ allowing, refusing }: PermissionOptions, title: string): Question | undefined {
  if (allowing.length < 2) return undefined;
  const labels = labelsOf([...allowing, ...refusing]);
  const options = [...labels].map(([label, { refuses, remembered }]) => ({
    label,
    ...(remembered ? { description: REMEMBERED } : {}),
    ...(refuses ? { refuses } : {}),
  }));
  const withdraw = { label: unusedLabel(labels, WITHDRAW), refuses: true };
  return {
    id: CHOICE,
    question: title,
    options: refusing.length > 0 ? options : [...options, withdraw],
    multiSelect: false,
    closed: true,
  };
}

/** The option an answer names; undefined for the answer that only withdraws the request. */
export function chosenOption(
  { allowing, refusing }: PermissionOptions,
  answers: Readonly<Record<string, string | string[]>>,
): Option | undefined {
  const [label = ""] = [answers[CHOICE] ?? []].flat();
  return labelsOf([...allowing, ...refusing]).get(label);
}

/** Answers are labels, so options with the same name are numbered. */
function labelsOf(options: readonly Option[]): ReadonlyMap<string, Option> {
  const labels = new Map<string, Option>();
  for (const option of options) labels.set(unusedLabel(labels, option.label), option);
  return labels;
}

function unusedLabel(labels: ReadonlyMap<string, Option>, label: string): string {
  let unused = label;
  for (let n = 2; labels.has(unused); n++) unused = `${label} (${n})`;
  return unused;
}

/** What a person should know about the agent's yes and no before choosing. */
export function offersOf({ allowing: [yes], refusing: [no] }: PermissionOptions): Offers | undefined {
  const approve = yes && offerOf(yes);
  const deny = no && offerOf(no);
  return approve || deny ? { ...(approve ? { approve } : {}), ...(deny ? { deny } : {}) } : undefined;
}

function offerOf({ label, remembered }: Option): Offers["approve"] {
  const saysMore = !plainWords.has(label.trim().toLowerCase().replace(/[.!]$/, ""));
  if (!saysMore && !remembered) return undefined;
  return { ...(saysMore ? { label } : {}), ...(remembered ? { remembered } : {}) };
}

/** Labels that say no more than Approve and Deny. */
const plainWords: ReadonlySet<string> = new Set([
  ...["allow", "allow once", "approve", "approve once", "accept", "yes", "ok", "proceed once"],
  ...["reject", "reject once", "deny", "deny once", "decline", "no", "cancel"],
]);
