// What every agent does through Drover, whichever driver it has. What one lacks, its sessions declare.

import { isSoak } from "../kit/soak.ts";
import { acpSubjects } from "./acp-agents.ts";
import * as answers from "./answers.ts";
import {
  all,
  asks,
  type Behaviour,
  behaviour,
  can,
  hasModel,
  is,
  isCommandLine,
  isLimited,
  isQuick,
  not,
  takes,
  takesSystemText,
} from "./behaviour.ts";
import type { Check } from "./checks.ts";
import { commandLineBehaviours } from "./command-line-behaviours.ts";
import * as contexts from "./contexts.ts";
import { delegate, delegateInBackground, delegateOnPage } from "./delegation.ts";
import * as failures from "./failures.ts";
import { idle } from "./idle.ts";
import { inScene, openStage, type Stage } from "./stage.ts";
import { notSteered, steerOverRestart, steerSpeech, steerWork } from "./steering.ts";
import { type Subject, subjects } from "./subjects.ts";
import { agentKilled, serverKilled } from "./survival.ts";
import { tell, tellMuch } from "./telling.ts";
import { broughtSettings } from "./trust.ts";
import * as turns from "./turns.ts";

const telling =
  "N2 the model is told system text, instructions and context with the first turn and after a reload, once";

const behaviours: readonly Behaviour[] = [
  behaviour("its sessions declare what it can do", turns.declare),
  behaviour("S11 text is streamed before the one done", turns.stream),
  behaviour("A1 A12 an approved command runs once", answers.approve, asks),
  behaviour(
    "A1 a denied command does not run, and the model is told the reason",
    answers.deny,
    can("denyReason"),
  ),
  behaviour(
    "A12 a denied command does not run, and that the reason stays here is told",
    answers.deny,
    all(asks, not(can("denyReason"))),
  ),
  behaviour(
    "A2 an approval that nobody gives expires, which the agent is told, and the turn ends",
    answers.expire,
    asks,
  ),
  behaviour("A3 A9 of two answers at once one wins, and the others name it", answers.answerTwice, asks),
  behaviour("A4 an unknown id and a wrong kind of answer are not found", answers.answerWrongly, asks),
  behaviour(
    "A6 an approval for the session covers the same program from then on",
    answers.approveForSession,
    asks,
  ),
  behaviour("A8 plan mode denies a command without asking anyone", answers.planOnly, asks),
  behaviour(
    "A13 a question reaches a person, and the answer the agent",
    answers.answer,
    all(asks, takes("ask")),
  ),
  behaviour(
    "A13 questions with one and with several answers reach a person, and the answers the agent",
    answers.answerSeveral,
    all(asks, takes("ask several")),
  ),
  behaviour("A15 amended input is what runs", answers.amend, can("amend")),
  behaviour("A15 amended input is refused", answers.amend, all(asks, not(can("amend")))),
  behaviour("S10 two commands at once keep their ids", answers.parallel, takes("runs")),
  behaviour(
    "S10 two sub-agents and parallel commands at once: no id, word or result is mixed up",
    delegate,
    is("claude"),
  ),
  behaviour(
    "S10 two sub-agents and parallel commands at once are nested right on the page",
    delegateOnPage,
    is("claude"),
  ),
  behaviour(
    "A5 what a sub-agent asks in the background outlives the turn and the server, and runs once approved",
    delegateInBackground,
    is("claude"),
  ),
  behaviour("an interrupted turn ends, and the session goes on", turns.interrupt),
  behaviour("A14 a turn interrupted while it asks takes its request with it", turns.interruptAsking, asks),
  behaviour("a message that steers is told between two steps of the running turn", steerWork, can("steer")),
  behaviour("a message that steers is answered in the turn whose last words run", steerSpeech, can("steer")),
  behaviour(
    "X8 kill -9 of the server with a message that steers: it is told in the turn, once",
    steerOverRestart,
    can("steer"),
  ),
  behaviour(
    "a message that would steer waits for the turn's end, and the receipt says why",
    notSteered,
    all(asks, isQuick, hasModel, not(can("steer"))),
  ),
  behaviour("the conversation goes on after its process was ended", turns.resume, can("resume")),
  behaviour("a failed login is told as one, and the session goes on", failures.failedLogin, takes("auth")),
  behaviour("a limit is told as one, and the session goes on", failures.limited, isLimited),
  behaviour(
    "a used up subscription is told with its end, and the session goes on",
    failures.usedUp,
    is("claude"),
  ),
  behaviour(
    "an overloaded model is told as one, and the session goes on",
    failures.overloaded,
    all(isQuick, takes("overloaded")),
  ),
  behaviour(
    "a cut connection to the model is told as one, and the session goes on",
    failures.cutOff,
    all(takes("drop"), not(isCommandLine)),
  ),
  behaviour(
    "a missing working directory is told as one, and the session goes on once it is back",
    failures.missingDirectory,
    isQuick,
  ),
  behaviour(
    "N8 a conversation that the agent forgot is told as one, and another begins with what was said",
    failures.forgottenConversation,
    takes("forget"),
  ),
  behaviour("a missing SDK is told as one, and found once it is there", failures.missingSdk, is("claude")),
  behaviour(
    "X2 X3 a missing or mute program is told as one, and found once it is there",
    failures.missingProgram,
    is("claude"),
  ),
  behaviour("P1 prompts of 200 KB and 768 KB arrive whole", turns.longPrompts),
  behaviour("queued messages run in order", turns.queue, all(isQuick, not(is("claude")))),
  ...(isSoak
    ? [behaviour("soak: a hundred idle sessions hold no process and less than 10 MB", idle, is("claude"))]
    : []),
  ...[
    behaviour("C1 the model is told of a clean tree", contexts.cleanTree),
    behaviour("C2 the model is told how many files changed, without zeros", contexts.counts),
    behaviour("C3 the model is told the branch of a repository without commits", contexts.noCommits),
    behaviour("C4 the model is told of a detached HEAD", contexts.detached),
    behaviour(
      "C5 the model is told a branch's whole name, and nothing of an upstream that is gone",
      contexts.upstream,
    ),
    behaviour("C6 a git that hangs is given up, and the turn starts", contexts.hangingGit),
    behaviour(
      "C7 the model is told that there is no repository, and nothing from a missing directory",
      contexts.nowhere,
    ),
    behaviour("C8 the model is told the real main branch, whatever it is called", contexts.mainBranch),
    behaviour("C9 the model is told no secret", contexts.noSecrets),
    behaviour(
      "C10 queued messages run in order, each told the repository's state at its own start",
      contexts.queueInRepository,
    ),
    behaviour("C11 the model is told the true version, port and time", contexts.environment),
  ].map((one) => ({ ...one, of: is("claude") })),
  ...[
    behaviour("P8 the model is told the session's system text after its context, once", contexts.systemText),
    behaviour("P9 without a system text the model is told its context alone", contexts.contextAlone),
  ].map((one) => ({ ...one, of: takesSystemText })),
  behaviour(telling, tell, all(asks, hasModel)),
  behaviour(
    "N3 P4 an instruction file that is too long is shortened, and reaches the model",
    tellMuch,
    all(asks, hasModel),
  ),
  behaviour(
    "what a project brings is not run before the project is trusted, and is then",
    broughtSettings,
    ({ brings }) => brings !== undefined,
  ),
  ...commandLineBehaviours,
  behaviour(
    "X8 A5 kill -9 of the server while it asks; approved after, it runs once",
    (scene) => serverKilled(scene, (server) => server.kill9()),
    asks,
  ),
  behaviour(
    "X8 TERM of the server while it asks; approved after, it runs once",
    (scene) => serverKilled(scene, (server) => server.term()),
    asks,
  ),
  behaviour("L2 kill -9 of the agent ends its turn, and the session goes on", agentKilled, isQuick),
];

/** `A1 A12 an approved command …` → `A1 A12 claude: an approved command …` */
const titleOf = (title: string, { name }: Subject) =>
  title.replace(/^(?:[A-Z]\d+ )*/, (ids) => `${ids}${name}: `);

/** The checks of one agent, on one server that the first of them starts, and the next after one that failed. */
export interface Group {
  checks: Check[];
  close(): Promise<void>;
}

/** What one agent does of these behaviours. */
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

/** Their checks take minutes: they begin first, so that no lane goes on alone at the end. */
const longest = ["opencode", "gemini", "claude"];
const rank = ({ name }: Subject) => (longest.includes(name) ? longest.indexOf(name) : longest.length);

export const behaviourGroups = (installed: string): Group[] =>
  [...subjects, ...acpSubjects]
    .toSorted((a, b) => rank(a) - rank(b))
    .map((subject) => {
      const isWhole = subjects.includes(subject);
      const own = behaviours.filter(({ of, title }) =>
        isWhole ? (of?.(subject) ?? true) : title === telling,
      );
      return groupOf(subject, own, installed);
    });
