// The checks of each agent, in groups that run beside each other.
import { acpSubjects } from "./acp-agents.ts";
import type { Behaviour } from "./behaviour.ts";
import { behaviours, sessionPromptTitle } from "./behaviours.ts";
import type { Check } from "./checks.ts";
import { inScene, openStage, type Stage } from "./stage.ts";
import { type Subject, subjects } from "./subjects.ts";

/** `A1 A12 an approved command …` → `A1 A12 claude: an approved command …` */
const titleOf = (title: string, { name }: Subject) =>
  title.replace(/^(?:[A-Z]\d+ )*/, (ids) => `${ids}${name}: `);

/** The checks of one agent share a server. The first one starts it, and so does the one after a failure. */
export interface Group {
  checks: Check[];
  close(): Promise<void>;
}

/** Checks of one agent. */
export function groupOf(subject: Subject, list: readonly Behaviour[], installed: string): Group {
  let stage: Stage | undefined;
  const close = async () => {
    const last = stage;
    stage = undefined;
    await last?.[Symbol.asyncDispose]();
  };
  const check = ({ title, play }: Behaviour): Check => ({
    title: titleOf(title, subject),
    run: async () => {
      stage ??= await openStage(subject, installed);
      try {
        await inScene(stage, play);
      } catch (error) {
        await close();
        throw error;
      }
    },
  });
  return { checks: list.map(check), close };
}

/** The behaviours that apply to an agent. */
function behavioursOf(subject: Subject): Behaviour[] {
  const isFullSubject = subjects.includes(subject);
  return behaviours.filter(({ of, title }) =>
    isFullSubject ? (of?.(subject) ?? true) : title === sessionPromptTitle,
  );
}

/** Their checks take minutes, so they start first: otherwise one lane would still be running alone at the end. */
const longest = ["opencode", "claude", "gemini", "claude-agent-acp", "opencode-acp"];
const rank = ({ name }: Subject) => (longest.includes(name) ? longest.indexOf(name) : longest.length);

export const behaviourGroups = (installed: string): Group[] =>
  [...subjects, ...acpSubjects]
    .toSorted((a, b) => rank(a) - rank(b))
    .flatMap((subject) => {
      const own = behavioursOf(subject).filter(({ waits }) => !waits?.(subject));
      // One lane would take longer for a slow agent than all the others for the rest.
      const parts = subject.isSlow
        ? [own.filter((_, at) => at % 2 === 0), own.filter((_, at) => at % 2 === 1)]
        : [own];
      return parts.filter(({ length }) => length > 0).map((part) => groupOf(subject, part, installed));
    });

/** Checks that mostly wait: all of them run at once, beside the others. */
export const waitingGroups = (installed: string): Group[] =>
  subjects.flatMap((subject) =>
    behavioursOf(subject)
      .filter(({ waits }) => waits?.(subject))
      .map((one) => groupOf(subject, [one], installed)),
  );
