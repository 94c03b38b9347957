// A session in a worktree whose work is ready for review.
import type { Project } from "@drover/core";
import { placeOf, refreshReview } from "./fixture/reviews.ts";
import { FixtureSession } from "./fixture/session.ts";
import { type Files, FixtureTree } from "./fixture/tree.ts";
import { addWorktree } from "./fixture/tree-handlers.ts";
import type { BrowserSource } from "./shared-browser.ts";
import { type Visit, visit } from "./visit.ts";

const cwd = "/home/ada/engine";

export interface ReviewVisit extends Visit {
  readonly session: FixtureSession;
  readonly tree: FixtureTree;
  /** The checkout of main. */
  readonly repository: FixtureTree;
  /** What the agent was sent, oldest first. Each starts a turn. */
  readonly prompts: string[];
}

/** One committed file and an uncommitted change of another. */
export async function openReview(
  browser: BrowserSource,
  project: Pick<Project, "checks"> = {},
): Promise<ReviewVisit> {
  const visited = await visit(browser);
  const { server } = visited;
  const repository = new FixtureTree(cwd, "main", { "a.txt": "one\ntwo\nthree\nfour\nfive\nsix\n" });
  server.git.trees.set(cwd, repository);
  server.projects.push({
    ...{ id: "prj_engine", path: cwd, name: "Engine", trusted: true, env: [], setup: [] },
    ...project,
  });
  const session = addSession(visited, repository, "fox");
  const prompts: string[] = [];
  server.onPrompt = (_, content) => prompts.push(content);
  const { tree } = session;
  session.session.begin("Translate");
  tree.write({ "b.txt": "note\n" });
  tree.commitFiles(undefined, "Add a note");
  tree.write({ "a.txt": "one\nzwei\ndrei\nvier\nfive\nsix\n" });
  session.session.end();
  return { ...visited, ...session, repository, prompts };
}

function addSession({ server }: Visit, repository: FixtureTree, name: string) {
  const tree = addWorktree(server.git, repository, { name });
  const { path, branch } = tree;
  const base = { ref: "main", commit: repository.commit };
  const workspace = { mode: "worktree", path, branch, projectDir: cwd, base, confined: false } as const;
  const title = "Translate the numbers";
  const session = server.add(
    new FixtureSession({ name, title, cwd: path, workspace, projectId: "prj_engine" }),
  );
  return { session, tree };
}

/** Someone else commits to main, and Drover notices. */
export async function upstream({ server, session, repository }: ReviewVisit, files: Files): Promise<void> {
  repository.write(files);
  repository.commitFiles(undefined, "Theirs");
  const place = placeOf({ server, session });
  if (place) refreshReview({ server, session }, place);
}
