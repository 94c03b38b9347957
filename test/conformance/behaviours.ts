// What every agent does through Drover, whichever driver it has. What one lacks, its sessions declare.
import * as answers from "./answers.ts";
import type { Check } from "./checks.ts";
import { describeRepository, queueInRepository } from "./contexts.ts";
import { inScene, openStage, type Scene, type Stage } from "./stage.ts";
import { type Subject, subjects } from "./subjects.ts";
import { agentKilled, serverKilled } from "./survival.ts";
import * as turns from "./turns.ts";

export interface Behaviour {
  /** The acceptance cases it shows. */
  ids?: string;
  title: string;
  /** Whose behaviour it is; everyone's, when it does not say. */
  of?(subject: Subject): boolean;
  play(scene: Scene): Promise<void>;
}

type Of = NonNullable<Behaviour["of"]>;

const takes =
  (step: Subject["lacks"][number]): Of =>
  ({ lacks }) =>
    !lacks.includes(step);
const can =
  (capability: "amend" | "denyReason" | "freshContext"): Of =>
  ({ capabilities }) =>
    capabilities[capability];
const not =
  (of: Of): Of =>
  (subject) =>
    !of(subject);

const behaviours: readonly Behaviour[] = [
  { title: "its sessions declare what it can do", play: turns.declare },
  { ids: "S11", title: "text is streamed before the one done", play: turns.stream },
  { ids: "A1 A12", title: "an approved command runs once", play: answers.approve },
  {
    ids: "A1",
    title: "a denied command does not run, and the model is told the reason",
    of: can("denyReason"),
    play: answers.deny,
  },
  {
    ids: "A12",
    title: "a denied command does not run, and that the reason stays here is told",
    of: not(can("denyReason")),
    play: answers.deny,
  },
  { ids: "A2", title: "an approval that nobody gives expires, and the turn ends", play: answers.expire },
  {
    ids: "A3 A9",
    title: "of two answers at once one wins, and the others name it",
    play: answers.answerTwice,
  },
  { ids: "A4", title: "an unknown id and a wrong kind of answer are not found", play: answers.answerWrongly },
  {
    ids: "A6",
    title: "an approval for the session covers the same program from then on",
    play: answers.approveForSession,
  },
  { ids: "A8", title: "plan mode denies a command without asking anyone", play: answers.planOnly },
  {
    ids: "A13",
    title: "a question reaches a person, and the answer the agent",
    of: takes("ask"),
    play: answers.answer,
  },
  { ids: "A15", title: "amended input is what runs", of: can("amend"), play: answers.amend },
  { ids: "A15", title: "amended input is refused", of: not(can("amend")), play: answers.amend },
  { ids: "S10", title: "two commands at once keep their ids", of: takes("runs"), play: answers.parallel },
  { title: "an interrupted turn ends, and the session goes on", play: turns.interrupt },
  {
    ids: "A14",
    title: "a turn interrupted while it asks takes its request with it",
    play: turns.interruptAsking,
  },
  { title: "the conversation goes on after its process was ended", play: turns.resume },
  {
    title: "a failed login is told as one, and the session goes on",
    of: takes("auth"),
    play: turns.failedLogin,
  },
  { title: "a limit is told as one, and the session goes on", play: turns.limited },
  {
    title: "an overloaded model is told as one, and the session goes on",
    of: takes("overloaded"),
    play: turns.overloaded,
  },
  {
    title: "a cut connection to the model is told as one, and the session goes on",
    of: takes("drop"),
    play: turns.cutOff,
  },
  { ids: "P1", title: "a prompt of 768 KB arrives whole", play: turns.longPrompt },
  { title: "queued messages run in order", of: not(can("freshContext")), play: turns.queue },
  {
    ids: "C10",
    title: "queued messages run in order, each told the repository's state at its own start",
    of: can("freshContext"),
    play: queueInRepository,
  },
  {
    ids: "C1 C2 C3 C4 C5 C7 C8 C9 C11",
    title: "the model is told where it is and how its repository stands, and no secret",
    of: can("freshContext"),
    play: describeRepository,
  },
  {
    ids: "X8 A5",
    title: "kill -9 of the server while it asks; approved after, it runs once",
    play: (scene) => serverKilled(scene, (server) => server.kill9()),
  },
  {
    ids: "X8",
    title: "TERM of the server while it asks; approved after, it runs once",
    play: (scene) => serverKilled(scene, (server) => server.term()),
  },
  { ids: "L2", title: "kill -9 of the agent ends its turn, and the session goes on", play: agentKilled },
];

/** The checks of one agent, on one server that the first of them starts, and the next after one that failed. */
export interface Group {
  checks: Check[];
  close(): Promise<void>;
}

export function behaviourGroups(installed: string): Group[] {
  return subjects.map((subject) => {
    let stage: Stage | undefined;
    const close = async () => {
      const last = stage;
      stage = undefined;
      await last?.[Symbol.asyncDispose]();
    };
    const check = ({ ids, title, play }: Behaviour): Check => ({
      title: `${ids ? `${ids} ` : ""}${subject.name}: ${title}`,
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
    return { checks: behaviours.filter(({ of }) => of?.(subject) ?? true).map(check), close };
  });
}
