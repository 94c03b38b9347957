import { type Command, Option } from "commander";
import { permissionModes, workerModes } from "./choices.ts";
import type { SpawnOptions } from "./commands/worker-spawn.ts";
import type { WorkerOptions } from "./commands/workers.ts";
import {
  type Actions,
  choiceOption,
  examples,
  jsonOption,
  readCount,
  serverOption,
  timeoutOption,
  workerArgument,
} from "./declare.ts";
import { declareProposals } from "./declare-proposals.ts";
import { declareTries } from "./declare-worker-tries.ts";
import type { ServerOptions } from "./options.ts";

/** Commands about workers. */
export function declareWorkerCommands(program: Command, { cli, does }: Actions): void {
  const commands = () => import("./commands/workers.ts");
  const workers = program
    .command("worker")
    .summary("Give a task to a worker, and get a branch")
    .description(
      "Workers are sessions with a task. Each one works in a Git worktree of its own, reports how its work went, and asks only if it has to. Drover commits what it leaves.",
    );
  examples(
    workers,
    'drover worker spawn claude "Fix the flaky test in test/login.ts"',
    "drover worker ls",
    "drover worker result brave-otter",
  );
  examples(
    workers
      .command("spawn")
      .summary("Start a worker")
      .description(
        "Start a worker in the background. It waits for a slot if workers.atOnce workers are running already. With --wait, wait for its result.",
      )
      .argument("<agent>", "Agent that does the work; `drover agents` lists them")
      .argument("[task...]", "The task; - or nothing reads it from standard input")
      .option("--cwd <directory>", "Directory of the repository (default: the current one)")
      .option("--base <ref>", "Branch, tag or commit that its branch starts from")
      .addOption(choiceOption(["--mode <mode>", "What it is to do (default: execute)"], workerModes))
      .option(
        "--name <name>",
        "Name of the worker and of its branch, drover/NAME; with --count, NAME-1, NAME-2 …",
      )
      .addOption(new Option("--count <number>", "Start several tries at the task").argParser(readCount))
      .option(
        "--batch <batch>",
        "Batch of these tries (default: the name, or a new one); an existing one is joined",
      )
      .addOption(choiceOption(["--permission-mode <mode>", "What it may do without asking"], permissionModes))
      .option("--model <model>", "Model")
      .option("--wait", "Wait for its result; exit codes as for `drover worker result`, the worst of several")
      .addOption(timeoutOption())
      .addOption(jsonOption("Print the worker as one JSON object; with --count, {batch, workers}"))
      .addOption(serverOption())
      .action(
        does(async (agent: string, words: string[], options: SpawnOptions) =>
          (await import("./commands/worker-spawn.ts")).spawn(cli, { agent, words, options }),
        ),
      ),
    'drover worker spawn demo "write notes.txt hello\nsignal done written" --wait',
    "drover worker spawn codex --base main < task.md",
    'drover worker spawn claude --mode plan "Move sessions to SQLite"',
    'drover worker spawn codex --count 3 --name login "Speed up the login page"',
  );
  examples(
    workers
      .command("ls")
      .summary("List workers")
      .description("List the workers, newest activity first, and what each one needs.")
      .addOption(jsonOption())
      .addOption(serverOption())
      .action(does(async (options: ServerOptions) => (await commands()).list(cli, options))),
    "drover worker ls",
    "drover worker ls --json | jq -r '.sessions[] | select(.state == \"waiting_for_input\").name'",
  );
  examples(
    workers
      .command("show")
      .summary("Show a worker's task, signal, summary and questions")
      .description("Show a worker: its task, what it reported, its summary, its branch and its questions.")
      .argument(...workerArgument)
      .addOption(jsonOption())
      .addOption(serverOption())
      .action(
        does(async (name: string, options: ServerOptions) => (await commands()).show(cli, { name, options })),
      ),
    "drover worker show brave-otter",
  );
  examples(
    workers
      .command("result")
      .summary("Wait for a worker and print its result")
      .description(
        "Wait until a worker has nothing more to do and print its result. Exit code 0: it is done. 4: it needs a person. 1: it failed or was stopped.",
      )
      .argument(...workerArgument)
      .addOption(timeoutOption())
      .addOption(jsonOption("Print the worker as one JSON object"))
      .addOption(serverOption())
      .action(
        does(async (name: string, options: WorkerOptions) =>
          (await commands()).result(cli, { name, options }),
        ),
      ),
    "drover worker result brave-otter",
    "drover worker result brave-otter --timeout 30m",
  );
  examples(
    workers
      .command("answer")
      .summary("Answer a worker's questions")
      .description(
        "Answer the questions a worker ended its run with. It continues with the answers as its next run, in the same directory and conversation.",
      )
      .argument(...workerArgument)
      .argument("<answers...>", "KEY=VALUE for each question; a single question needs no key")
      .addOption(jsonOption("Print the worker as one JSON object"))
      .addOption(serverOption())
      .action(
        does(async (name: string, pairs: string[], options: ServerOptions) =>
          (await commands()).answer(cli, { name, pairs, options }),
        ),
      ),
    "drover worker answer brave-otter 8080",
    "drover worker answer brave-otter port=8080 color=red",
  );
  examples(
    workers
      .command("resume")
      .summary("Continue a worker that was stopped or has failed")
      .description("Continue a worker, with a message or with what waits in its queue.")
      .argument(...workerArgument)
      .argument("[message...]", "What it should do now")
      .addOption(jsonOption())
      .addOption(serverOption())
      .action(
        does(async (name: string, words: string[], options: ServerOptions) =>
          (await commands()).resume(cli, { name, words, options }),
        ),
      ),
    'drover worker resume brave-otter "The API is back. Try again."',
  );
  examples(
    workers
      .command("stop")
      .summary("Stop a worker")
      .description("End a worker's process, or take it out of the queue. Its worktree and branch stay.")
      .argument(...workerArgument)
      .addOption(jsonOption())
      .addOption(serverOption())
      .action(
        does(async (name: string, options: ServerOptions) => (await commands()).stop(cli, { name, options })),
      ),
    "drover worker stop brave-otter",
  );
  declareProposals(workers, { cli, does });
  declareTries(workers, { cli, does });
}
