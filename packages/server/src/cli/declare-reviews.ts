import { type Command, Option } from "commander";
import type { MergeOptions } from "./commands/merge.ts";
import type { PullOptions } from "./commands/pr.ts";
import type { ReviewOptions } from "./commands/review.ts";
import type { UpdateOptions } from "./commands/update.ts";
import { type Actions, examples, jsonOption, serverOption, sessionArgument } from "./declare.ts";

/** Commands that bring the work of sessions in worktrees back. */
export function declareReviewCommands(program: Command, actions: Actions): void {
  const { cli, does } = actions;
  const decision = (flags: string, description: string, others: string[]) =>
    new Option(flags, description).conflicts(others);
  examples(
    program
      .command("review")
      .summary("Show how the review of a session's work stands, or decide it")
      .description(
        "Show how the review of a session's work stands: the branch it would be merged into, what has changed, conflicts, checks and commits. With an option, accept the work, reject it, or ask the agent for changes.",
      )
      .argument(...sessionArgument)
      .addOption(
        decision("--accept", "Accept the work as it is; the next change reopens the review", [
          "reject",
          "changes",
        ]),
      )
      .addOption(decision("--reject", "Reject the work; its branch stays", ["accept", "changes"]))
      .addOption(
        decision("--changes <text>", "Send the agent a message that says what to change", [
          "accept",
          "reject",
          "message",
        ]),
      )
      .option("--message <text>", "A note for the transcript, with --accept or --reject")
      .addOption(jsonOption())
      .addOption(serverOption())
      .action(
        does(async (session: string, options: ReviewOptions) =>
          (await import("./commands/review.ts")).review(cli, { session, options }),
        ),
      ),
    "drover review brave-otter",
    "drover review brave-otter --accept",
    'drover review brave-otter --changes "Add a test for the empty list"',
  );
  examples(
    program
      .command("update")
      .summary("Bring another branch's commits into a session's branch")
      .description(
        "Merge the branch that a session's work would be merged into, or another one, into the session's own branch. " +
          "Files with conflicts are listed and get conflict markers; once all markers are gone, Drover commits them. " +
          "Exits with 6 if there are conflicts, unless the agent is asked to resolve them.",
      )
      .argument(...sessionArgument)
      .option("--from <branch>", "The branch (default: the one that the work would be merged into)")
      .option("--ask", "Ask the agent to resolve the conflicts")
      .addOption(jsonOption())
      .addOption(serverOption())
      .action(
        does(async (session: string, options: UpdateOptions) =>
          (await import("./commands/update.ts")).update(cli, { session, options }),
        ),
      ),
    "drover update brave-otter",
    "drover update brave-otter --ask",
  );
  examples(
    program
      .command("merge")
      .summary("Merge a session's work into a branch")
      .description(
        "Merge the work of a session in a worktree, including uncommitted files, into a branch. If that branch is checked " +
          "out, the checkout follows, unless files there would be overwritten. The project's checks run on the result " +
          "first, and earlier merges into the same branch come first; the command waits for them. Exits with 0 if the " +
          "work was merged, with 6 if there are conflicts or the merge was refused, and with 1 if a check failed.",
      )
      .argument(...sessionArgument)
      .option(
        "--into <branch>",
        "The branch to merge into (default: the project's target, or the branch that the worktree was made from)",
      )
      .option("--squash", "Make one commit of everything")
      .option("-m, --message <text>", "The commit message (default: made from the session's title)")
      .option("--dry-run", "Only say what a merge would do; no check runs")
      .option("--no-wait", "Exit with 0 at once if checks or other merges come first")
      .addOption(jsonOption())
      .addOption(serverOption())
      .action(
        does(async (session: string, options: MergeOptions) =>
          (await import("./commands/merge.ts")).merge(cli, { session, options }),
        ),
      ),
    "drover merge brave-otter",
    'drover merge brave-otter --squash -m "Add the parser"',
    "drover merge brave-otter --into release --dry-run",
  );
  examples(
    program
      .command("pr")
      .summary("Push a session's branch and open a pull request")
      .description(
        "Push the branch of a session in a worktree to a remote, with your own credentials and without force, and open a " +
          "pull request into the branch that the work would be merged into. It is opened with gh (GitHub) or glab (GitLab) " +
          "if that is installed and logged in; otherwise the address on which you open it is printed, if the host is " +
          "known. Nothing is committed: commit the work first. A pull request that is open already is found.",
      )
      .argument(...sessionArgument)
      .option("--title <text>", "The title of a new pull request (default: the session's title)")
      .option("--body <text>", "The description of a new pull request")
      .option(
        "--remote <name>",
        "The remote to push to (default: that of the target branch, origin, or the only one)",
      )
      .addOption(jsonOption())
      .addOption(serverOption())
      .action(
        does(async (session: string, options: PullOptions) =>
          (await import("./commands/pr.ts")).pr(cli, { session, options }),
        ),
      ),
    "drover pr brave-otter",
    'drover pr brave-otter --title "Add the parser" --remote upstream',
  );
}
