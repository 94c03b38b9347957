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

describe("a worker's output", () => {
  const worker = { mode: "execute", outputDirectory: "/work/.drover/output" } as const;
  const edit = (path: string, real = `/work/${path}`) =>
    permissionVerdict(
      { toolName: "edit", toolKind: "edit", input: { path }, worker, realPath: () => real },
      "ask",
      [],
    );

  it("is written without asking", () => {
    const allowed = { verdict: "allow", rule: "worker-output" };
    expect(edit(".drover/output/signal.json")).toEqual(allowed);
    expect(edit(".drover/output/tasks/one.md")).toEqual(allowed);
  });

  it.each<[path: string, real?: string]>([
    ["src/app.ts"],
    [".drover/output"],
    [".drover/outputs/x"],
    [".drover/output/link.json", "/home/me/.bashrc"],
    [".drover/output/.git/config"],
  ])("does not include %s", (path, real?: string) => {
    expect(edit(path, real)).toEqual({ verdict: "ask" });
  });

  it("is known by the files of a request, whatever its other keys are", () => {
    const path = "/work/.drover/output/signal.json";
    const diff = { type: "diff", path, oldText: null, newText: "{}" };
    const request = {
      ...({ toolName: "write", toolKind: "edit", worker } as const),
      ...{ input: { file_path: path, content: "{}" }, diffs: [diff], locations: [path] },
    };
    const realPath = (named: string) => (named.startsWith("/") ? named : `/work/${named}`);
    expect(permissionVerdict({ ...request, realPath }, "ask", []).verdict).toBe("allow");
    const other = { ...request, realPath, locations: [path, "/work/src/app.ts"] };
    expect(permissionVerdict(other, "ask", []).verdict).toBe("ask");
  });

  it("does not include what a command does there", () => {
    const run = { ...command("touch .drover/output/signal.json"), worker };
    expect(permissionVerdict(run, "ask", [])).toEqual({ verdict: "ask" });
  });
});

const readers = workerModes.filter((mode) => mode !== "execute");

/** Where a request leads in these tests. */
const realPath = (path: string) => (path.startsWith("/") ? path : `/work/${path}`);

describe.each(readers)("a worker of the mode %s", (mode: WorkerMode) => {
  const worker = { mode, outputDirectory: "/work/.drover/output" };
  const verdict = (request: object, permissionMode: PermissionMode = "ask") =>
    permissionVerdict(
      { toolName: "tool", toolKind: "other", input: {}, ...request, worker, realPath },
      permissionMode,
      [{ toolName: "run", program: "touch x" }],
    );
  const edit = (path: string) => ({ toolKind: "edit", input: { path } });

  test.each(permissionModes)("may read and write its output, and change nothing else, in mode %s", (as) => {
    expect(verdict(edit(".drover/output/phases/one.md"), as)).toMatchObject({ rule: "worker-output" });
    const reading = [{ toolKind: "read", input: { path: "src/app.ts" } }, command("git log")];
    for (const request of reading)
      expect(verdict(request, as)).toEqual({ verdict: "allow", rule: "worker-mode" });
    const changes = [
      ...[edit("src/app.ts"), edit(".git/config"), edit(".drover/output/.git/config")],
      ...[{ ...edit(".drover/output/x.md"), toolKind: "delete" }, command("touch x"), { toolKind: "edit" }],
      { toolKind: "read", input: { path: "a", content: "b" } },
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
