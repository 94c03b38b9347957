// Workers on the fixture server.
import type { Session, Worker } from "@drover/core";
import { FixtureSession } from "./fixture/session.ts";
import { FixtureTree } from "./fixture/tree.ts";
import { addWorktree } from "./fixture/tree-handlers.ts";
import type { Visit } from "./visit.ts";

export const engine = "/home/ada/engine";

/** The checkout that workers branch off. */
export function addRepository({ server }: Pick<Visit, "server">): FixtureTree {
  const repository = new FixtureTree(engine, "main", { "a.txt": "one\n" });
  server.git.trees.set(engine, repository);
  return repository;
}

export interface AddedWorker {
  readonly session: FixtureSession;
  readonly tree: FixtureTree;
}

type Details = Omit<Partial<Session>, "worker"> & { readonly worker?: Partial<Worker> };

/** A worker in its worktree. The test plays its agent. */
export function addWorker(
  { server }: Pick<Visit, "server">,
  name: string,
  { worker, ...details }: Details = {},
): AddedWorker {
  const repository = server.git.trees.get(engine) ?? addRepository({ server });
  const tree = addWorktree(server.git, repository, { name });
  const { path, branch } = tree;
  const base = { ref: "main", commit: repository.commit };
  const session = new FixtureSession({
    ...{ kind: "worker", name, cwd: path, permissionMode: "acceptEdits" },
    workspace: { mode: "worktree", path, branch, projectDir: engine, base, confined: false },
    worker: { mode: "execute", tries: 1, ...worker },
    ...details,
  });
  return { session: server.add(session), tree };
}

/** Lets a worker do its task: it writes a file and reports. */
export function finish({ session, tree }: AddedWorker, files: Readonly<Record<string, string>>): void {
  session.begin(session.record().title);
  tree.write(files);
  session.emit({ type: "signal", run: 1, status: "done", tries: 1 });
  session.end();
}
