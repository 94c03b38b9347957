import type { Offers, Question } from "@drover/core";
import { type Json, record, records, text } from "../json.ts";

/** One of the answers that an agent offers to its request for permission. */
interface Option {
  readonly id: string;
  readonly label: string;
  readonly refuses: boolean;
  /** The agent applies it to later calls, too, and may write it into its own settings. */
  readonly remembered: boolean;
}

/** The options a person can be given: those that count once, and only where there are none, those that last. */
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

/** By kind: ids mean something only to the agent. */
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

/** More than one way to say yes is a question. There is always a way to say no. */
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

/** The option an answer names; undefined for the one that only withdraws the request. */
export function chosenOption(
  { allowing, refusing }: PermissionOptions,
  answers: Readonly<Record<string, string | string[]>>,
): Option | undefined {
  const [label = ""] = [answers[CHOICE] ?? []].flat();
  return labelsOf([...allowing, ...refusing]).get(label);
}

/** An answer is a label: options of the same name are numbered. */
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

/** What a person should know of the agent's yes and no before giving it. */
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

/** Labels that say no more than Approve and Deny do. */
const plainWords: ReadonlySet<string> = new Set([
  ...["allow", "allow once", "approve", "approve once", "accept", "yes", "ok", "proceed once"],
  ...["reject", "reject once", "deny", "deny once", "decline", "no", "cancel"],
]);
