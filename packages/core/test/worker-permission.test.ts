import {
  type PermissionMode,
  permissionModes,
  permissionVerdict,
  type WorkerMode,
  workerModes,
} from "@drover/core";
import { describe, expect, it, test } from "vitest";

const command = (text: string) =>
  ({ toolName: "run", toolKind: "execute", input: { command: text } }) as const;

/** A command that runs in a directory which the request names. */
const commandIn = (cwd: string, text: string) => ({ ...command(text), input: { command: text, cwd } });

const readers = workerModes.filter((mode) => mode !== "execute");

/** Where a request leads in these tests. */
const realPath = (path: string) => (path.startsWith("/") ? path : `/repo/${path}`);

describe.each(readers)("a worker of the mode %s", (mode: WorkerMode) => {
  const worker = { mode, outputDirectory: "/repo/.drover/output" };
  const verdict = (request: object, permissionMode: PermissionMode = "ask") =>
    permissionVerdict(
      { toolName: "tool", toolKind: "other", input: {}, ...request, worker, realPath, cwd: "/repo" },
      permissionMode,
      [{ toolName: "run", program: "touch x" }],
    );
  const edit = (path: string) => ({ toolKind: "edit", input: { path } });

  test.each(permissionModes)("may read and write its output, and change nothing else, in mode %s", (as) => {
    expect(verdict(edit(".drover/output/phases/one.md"), as)).toMatchObject({ rule: "worker-output" });
    const reading = [
      ...[{ toolKind: "read", input: { path: "src/app.ts" } }, command("git log")],
      ...[commandIn("/repo", "git log"), commandIn("/repo/src", "ls")],
    ];
    for (const request of reading)
      expect(verdict(request, as)).toEqual({ verdict: "allow", rule: "worker-mode" });
    const changes = [
      ...[edit("src/app.ts"), edit(".git/config"), edit(".drover/output/.git/config")],
      ...[{ ...edit(".drover/output/x.md"), toolKind: "delete" }, command("touch x"), { toolKind: "edit" }],
      { toolKind: "read", input: { path: "a", content: "b" } },
      ...[commandIn("/repo/bare.git", "git log"), commandIn("bare.git", "git log")],
    ];
    for (const request of changes) {
      const denied = verdict(request, as);
      expect(denied, JSON.stringify(request)).toMatchObject({ verdict: "deny", rule: "worker-mode" });
      expect(denied).toMatchObject({ reason: expect.stringContaining(".drover/output") });
    }
  });

  it("asks a person about tools whose effect is unknown", () => {
    expect(verdict({ toolName: "deploy", input: { to: "production" } })).toEqual({ verdict: "ask" });
    expect(verdict({ toolKind: "read", needsPerson: true })).toEqual({ verdict: "ask" });
    expect(verdict({ ...edit("src/app.ts"), needsPerson: true })).toMatchObject({ verdict: "deny" });
  });
});
