// What every agent does through Drover, whichever driver it has. Its sessions declare what it lacks.

import { isSoak } from "../kit/soak.ts";
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
import { commandLineBehaviours } from "./command-line-behaviours.ts";
import * as contexts from "./contexts.ts";
import { delegate, delegateInBackground, delegateOnPage } from "./delegation.ts";
import * as failures from "./failures.ts";
import { idle } from "./idle.ts";
import { longInstructionFile, sessionPrompt } from "./session-prompt.ts";
import { notSteered, steerOverRestart, steerSpeech, steerWork } from "./steering.ts";
import { agentKilled, serverKilled } from "./survival.ts";
import { requireTrust } from "./trust.ts";
import * as turns from "./turns.ts";
import { askAndFinish, reportInWords } from "./workers.ts";
import { editInWorktree, reviewAndMerge } from "./worktrees.ts";

export const sessionPromptTitle =
  "N2 the model gets system text, instructions and context once with the first turn and once after a reload";

export const behaviours: readonly Behaviour[] = [
  behaviour("its sessions declare what it can do", turns.declare),
  behaviour("S11 text is streamed before the turn's only done event", turns.stream),
  behaviour("A1 A12 an approved command runs once", answers.approve, asks),
  behaviour(
    "A1 a denied command does not run, and the model gets the reason",
    answers.deny,
    can("denyReason"),
  ),
  behaviour(
    "A12 a denied command does not run, and Drover reports that the reason did not reach the agent",
    answers.deny,
    all(asks, not(can("denyReason"))),
  ),
  behaviour(
    "A2 an unanswered approval expires, the agent is notified, and the turn ends",
    answers.expire,
    asks,
  ),
  behaviour("A3 A9 one of two concurrent answers wins, and the other names it", answers.answerTwice, asks),
  behaviour("A4 an answer with an unknown id or of the wrong kind is not found", answers.answerWrongly, asks),
  behaviour(
    "A6 an approval for the session covers later runs of the same program",
    answers.approveForSession,
    asks,
  ),
  behaviour("A8 plan mode denies a command without asking", answers.planOnly, asks),
  behaviour(
    "A13 a question reaches a person, and the answer reaches the agent",
    answers.answer,
    all(asks, takes("ask")),
  ),
  behaviour(
    "A13 single-choice and multiple-choice questions reach a person, and the answers reach the agent",
    answers.answerSeveral,
    all(asks, takes("ask several")),
  ),
  behaviour("A15 the amended command runs instead of the original", answers.amend, can("amend")),
  behaviour("A15 amended input is rejected", answers.amend, all(asks, not(can("amend")))),
  behaviour("S10 two concurrent commands keep their ids", answers.parallel, takes("runs")),
  behaviour("S10 two sub-agents with parallel commands mix up no id, text or result", delegate, is("claude")),
  behaviour(
    "S10 two sub-agents with parallel commands are nested correctly on the page",
    delegateOnPage,
    is("claude"),
  ),
  behaviour(
    "A5 a background sub-agent's request outlives the turn and the server, and runs once approved",
    delegateInBackground,
    is("claude"),
  ),
  behaviour("an interrupted turn ends, and the session stays usable", turns.interrupt),
  behaviour("A14 interrupting a turn cancels its open approval", turns.interruptAsking, asks),
  behaviour("a steering message arrives between two steps of the running turn", steerWork, can("steer")),
  behaviour(
    "a steering message sent during a turn's final reply is answered in that turn",
    steerSpeech,
    can("steer"),
  ),
  behaviour(
    "X8 kill -9 of the server with a pending steering message: it arrives in the turn, once",
    steerOverRestart,
    can("steer"),
  ),
  behaviour(
    "a steering message to an agent that cannot be steered is queued, and the receipt says why",
    notSteered,
    all(asks, isQuick, hasModel, not(can("steer"))),
  ),
  behaviour("the conversation continues after its process was stopped", turns.resume, can("resume")),
  behaviour("a failed login is reported, and the session stays usable", failures.failedLogin, takes("auth")),
  behaviour("a usage limit is reported, and the session stays usable", failures.limited, isLimited),
  behaviour(
    "an exhausted subscription is reported with its reset time, and the session stays usable",
    failures.usedUp,
    is("claude"),
  ),
  behaviour(
    "an overloaded model is reported, and the session stays usable",
    failures.overloaded,
    all(isQuick, takes("overloaded")),
  ),
  behaviour(
    "a dropped connection to the model is reported, and the session stays usable",
    failures.cutOff,
    all(takes("drop"), not(isCommandLine)),
  ),
  behaviour(
    "a missing working directory is reported, and the session works again once it is back",
    failures.missingDirectory,
    isQuick,
  ),
  behaviour(
    "N8 a conversation that the agent lost is reported, and a new one begins with its transcript",
    failures.forgottenConversation,
    takes("forget"),
  ),
  behaviour("a missing SDK is reported, and found once it is installed", failures.missingSdk, is("claude")),
  behaviour(
    "X2 X3 a missing or unresponsive program is reported, and found once it is installed",
    failures.missingProgram,
    is("claude"),
  ),
  behaviour("P1 prompts of 200 KB and 768 KB arrive complete", turns.longPrompts),
  behaviour("queued messages run in order", turns.queue, all(isQuick, not(is("claude")))),
  ...(isSoak
    ? [behaviour("soak: a hundred idle sessions hold no process and less than 10 MB", idle, is("claude"))]
    : []),
  ...[
    behaviour("C1 the context says that the working tree is clean", contexts.cleanTree),
    behaviour("C2 the context counts changed files and leaves out zeros", contexts.counts),
    behaviour("C3 the context names the branch of a repository without commits", contexts.noCommits),
    behaviour("C4 the context mentions a detached HEAD", contexts.detached),
    behaviour(
      "C5 the context has a branch's full name, and nothing about an upstream that is gone",
      contexts.upstream,
    ),
    behaviour("C6 a git that hangs is abandoned, and the turn starts", contexts.hangingGit),
    behaviour(
      "C7 the context says that there is no repository, and a missing directory starts no turn",
      contexts.nowhere,
    ),
    behaviour("C8 the context names the real main branch, whatever it is called", contexts.mainBranch),
    behaviour("C9 the context contains no secrets", contexts.noSecrets),
    behaviour(
      "C10 queued messages run in order, each with the state of the repository at its start",
      contexts.queueInRepository,
    ),
    behaviour("C11 the context has the server's version and port and the current time", contexts.environment),
  ].map((one) => ({ ...one, of: is("claude") })),
  ...[
    behaviour("P8 the model gets the session's system text once, after the context", contexts.systemText),
    behaviour("P9 without a system text the model gets only the context", contexts.contextAlone),
  ].map((one) => ({ ...one, of: takesSystemText })),
  behaviour(sessionPromptTitle, sessionPrompt, all(asks, hasModel)),
  behaviour(
    "N3 P4 an instruction file that is too long reaches the model shortened",
    longInstructionFile,
    all(asks, hasModel),
  ),
  behaviour(
    "a project's settings run nothing until the project is trusted",
    requireTrust,
    ({ projectSettings }) => projectSettings !== undefined,
  ),
  behaviour(
    "T2 T5 in a worktree its edits are kept and undone, and a fork has the files of an earlier turn",
    editInWorktree,
    ({ name }) => name === "codex" || name === "claude",
  ),
  behaviour(
    "V1 V2 its work in a worktree is sent back with two comments, changed, accepted and merged",
    reviewAndMerge,
    ({ name }) => name === "codex" || name === "claude",
  ),
  behaviour(
    "G1 as a worker it asks two questions, goes on with the answers, is done, reviewed and merged",
    askAndFinish,
    ({ name }) => ["claude", "codex", "gemini"].includes(name),
  ),
  behaviour("G5 as a worker that may not write it reports in a fenced block", reportInWords, is("codex")),
  ...commandLineBehaviours,
  behaviour(
    "X8 A5 a command approved after kill -9 of the server runs once",
    (scene) => serverKilled(scene, (server) => server.kill9()),
    asks,
  ),
  behaviour(
    "X8 a command approved after SIGTERM of the server runs once",
    (scene) => serverKilled(scene, (server) => server.term()),
    asks,
  ),
  behaviour("L2 kill -9 of the agent ends its turn, and the session stays usable", agentKilled, isQuick),
];
