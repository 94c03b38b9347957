// What programs do through Drover that are started for every turn and never ask.
import { all, type Behaviour, behaviour, is, isCommandLine, isQuick, isSlow, takes } from "./behaviour.ts";
import * as failures from "./command-line-failures.ts";
import { serverEnds } from "./command-line-survival.ts";
import * as turns from "./command-line-turns.ts";
import { approveChanges } from "./gate.ts";

export const commandLineBehaviours: readonly Behaviour[] = [
  behaviour(
    "A8 a command that would need an approval does not run, in plan mode or otherwise, and nobody is asked",
    turns.forbidden,
    ({ commandLine }) => commandLine?.forbidden !== undefined,
  ),
  behaviour(
    "P8 P9 P10 it starts without a terminal, with its context and, if there is one, the system text once",
    turns.startedWith,
    isCommandLine,
  ),
  behaviour(
    "an exhausted account is reported, and the session stays usable",
    failures.usedUp,
    ({ commandLine }) => commandLine?.usedUp !== undefined,
  ),
  {
    ...behaviour(
      "a dropped and a refused connection to the model are reported as such, and the sessions stay usable",
      failures.brokenConnections,
      all(isCommandLine, takes("drop")),
    ),
    waits: isSlow,
  },
  behaviour(
    "X2 a missing program is reported, and found once it is installed",
    failures.missingProgram,
    isCommandLine,
  ),
  behaviour(
    "a directory that it does not trust is reported, and accepted with its shipped arguments",
    failures.untrusted,
    ({ commandLine }) => commandLine?.distrust !== undefined,
  ),
  behaviour(
    "X11 a turn that the program reports as failed has failed, whatever it printed before",
    failures.calledFailed,
    is("codex"),
  ),
  behaviour(
    "V7 what a turn in a worktree has changed is approved, or denied and put back with the reason for the agent",
    approveChanges,
    is("codex"),
  ),
  behaviour(
    "X10 a turn whose program gets SIGTERM does not count as finished",
    failures.terminated,
    isCommandLine,
  ),
  behaviour(
    "X8 after kill -9 of the server during a command, the program is found again and the command runs once",
    (scene) => serverEnds(scene, (server) => server.kill9()),
    all(isQuick, isCommandLine),
  ),
  behaviour(
    "X8 after SIGTERM of the server during a command, the program is found again and the command runs once",
    (scene) => serverEnds(scene, (server) => server.term()),
    all(isQuick, isCommandLine),
  ),
];
