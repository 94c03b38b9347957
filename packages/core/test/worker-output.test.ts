import { permissionVerdict } from "@drover/core";
import { describe, expect, it } from "vitest";

describe("a worker's output", () => {
  const worker = { mode: "execute", outputDirectory: "/work/.drover/output" } as const;
  const verdictOn = (input: object, links: Readonly<Record<string, string>> = {}) => {
    const realPath = (path: string) => links[path] ?? (path.startsWith("/") ? path : `/work/${path}`);
    const ask = { toolName: "edit", toolKind: "edit", input, worker, realPath } as const;
    return permissionVerdict(ask, "ask", []);
  };
  const edit = (path: string, real?: string) =>
    verdictOn({ file_path: path, content: "x" }, real === undefined ? {} : { [path]: real });

  it("is written without asking", () => {
    const allowed = { verdict: "allow", rule: "worker-output" };
    expect(edit(".drover/output/signal.json")).toEqual(allowed);
    expect(edit(".drover/output/tasks/one.md")).toEqual(allowed);
    expect(verdictOn({ edits: [{ path: ".drover/output/a", new_string: "b" }] })).toEqual(allowed);
  });

  it.each([
    { file_path: ".drover/output/a", cwd: "/home/me", content: "x" },
    { path: ".drover/output/a", file: "src/app.ts", content: "x" },
    { edits: [{ path: ".drover/output/a" }, { path: "src/app.ts" }] },
    { input: "*** Add File: .drover/output/a\n*** Update File: src/app.ts\n" },
    { changes: { ".drover/output/a": {}, "src/app.ts": {} } },
  ])("does not include other files of the same call: %j", (input) => {
    expect(verdictOn(input)).toEqual({ verdict: "ask" });
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

  it("does not include what a command does there", () => {
    const input = { command: "touch .drover/output/signal.json" };
    const run = { toolName: "run", toolKind: "execute", input, worker } as const;
    expect(permissionVerdict(run, "ask", [])).toEqual({ verdict: "ask" });
  });
});
