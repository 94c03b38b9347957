// What every program does through Drover that is started for each turn and asks nobody.
import { all, type Behaviour, behaviour, is, isCommandLine, isQuick, takes } from "./behaviour.ts";
import * as failures from "./command-line-failures.ts";
import { serverEnds } from "./command-line-survival.ts";
import * as turns from "./command-line-turns.ts";

export const commandLineBehaviours: readonly Behaviour[] = [
  behaviour(
    "A8 what would have to be asked about is not done, in plan mode neither, and nobody is asked",
    turns.forbidden,
    ({ commandLine }) => commandLine?.forbidden !== undefined,
  ),
  behaviour(
    "P8 P9 P10 it is started without a terminal, told where it is, and the system text once where there is one",
    turns.startedWith,
    isCommandLine,
  ),
  behaviour(
    "a used up account is told as one, and the session goes on",
    failures.usedUp,
    ({ commandLine }) => commandLine?.usedUp !== undefined,
  ),
  behaviour(
    "a cut and a refused connection to the model are told as such, and the sessions go on",
    failures.brokenConnections,
    all(isCommandLine, takes("drop")),
  ),
  behaviour(
    "X2 a missing program is told as one, and found once it is there",
    failures.missingProgram,
    isCommandLine,
  ),
  behaviour(
    "a directory that it does not trust is told as one, and is no matter with its shipped arguments",
    failures.untrusted,
    ({ commandLine }) => commandLine?.distrust !== undefined,
  ),
  behaviour(
    "X11 a turn that the program itself calls failed has failed, whatever it said before",
    failures.calledFailed,
    is("codex"),
  ),
  behaviour(
    "X10 told to end in the middle of a turn, it has not finished it",
    failures.terminated,
    isCommandLine,
  ),
  behaviour(
    "X8 kill -9 of the server while a command runs: found again, and it runs once",
    (scene) => serverEnds(scene, (server) => server.kill9()),
    all(isQuick, isCommandLine),
  ),
  behaviour(
    "X8 TERM of the server while a command runs: found again, and it runs once",
    (scene) => serverEnds(scene, (server) => server.term()),
    all(isQuick, isCommandLine),
  ),
];
