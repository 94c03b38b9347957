import { grantFor, permissionVerdict, scopesOf } from "@drover/core";
import { describe, expect, it } from "vitest";

const command = (text: string) =>
  ({ toolName: "run", toolKind: "execute", input: { command: text } }) as const;

describe("an edit below .git, or of drover.yaml", () => {
  const edit = (input: unknown, more: object = {}) =>
    ({ toolName: "edit", toolKind: "edit", input, ...more }) as const;

  it.each([
    { file_path: "/srv/a/.git/config" },
    { path: ".git/hooks/pre-commit" },
    { path: "src/../.git/config" },
    { path: "vendor/lib/.git" },
    { path: ".GIT/config" },
    { path: ".git\u200c/config" },
    { path: "git~1/config" },
    { uri: "file:///srv/a/%2Egit/config" },
    { changes: { "/srv/a/.git/config": { type: "update" } } },
    { edits: [{ path: "a.txt" }, { path: ".git/config" }] },
    { patch: "*** Begin Patch\n*** Update File: .git/config\n+x\n" },
    { diff: "--- a/.git/config\n+++ b/.git/config\n@@ -1 +1 @@\n" },
    { diff: '--- /dev/null\n+++ "b/.gi\\164/config"\n@@ -0,0 +1 @@\n' },
    ".git/config",
    { file_path: "/home/me/.drover/drover.yaml" },
    { path: "../Drover.yaml" },
  ])("is left to a person whatever the mode and the grants: %j", (input) => {
    for (const mode of ["ask", "acceptEdits", "never"] as const) {
      expect(permissionVerdict(edit(input), mode, [{ toolName: "edit", kind: "edit" }])).toEqual({
        verdict: "ask",
      });
    }
    expect(permissionVerdict(edit(input), "plan", []).verdict).toBe("deny");
    expect(grantFor(edit(input))).toBeUndefined();
    expect(scopesOf(edit(input))).toEqual(["once"]);
  });

  it.each([
    undefined,
    {},
    { content: "x" },
    { path: null },
    { x: 1 },
    { command: "rm -rf build" },
    { command: ".git/config" },
    { path: " .git/config" },
  ])("is assumed if the input names no path: %j", (input) => {
    for (const mode of ["ask", "acceptEdits", "never"] as const) {
      expect(permissionVerdict(edit(input), mode, [{ toolName: "edit", kind: "edit" }])).toEqual({
        verdict: "ask",
      });
    }
    expect(scopesOf(edit(input))).toEqual(["once"]);
  });

  it("is recognized by its diffs, by its locations, and through symbolic links", () => {
    const shown = { diffs: [{ path: ".git/config", oldText: null, newText: "" }] };
    const located = { locations: ["/srv/a/.git/config"] };
    const linked = { realPath: (path: string) => (path === "link" ? "/srv/a/.git/config" : path) };
    const patched = { diff: "--- /dev/null\n+++ w/link\n@@ -0,0 +1 @@\n" };
    expect(permissionVerdict(edit(patched, linked), "never", []).verdict).toBe("ask");
    const linkedOutside = { realPath: (path: string) => (path === "/home/link" ? "/home/.git/x" : path) };
    expect(permissionVerdict(edit({ cwd: "/home", path: "link" }, linkedOutside), "never", []).verdict).toBe(
      "ask",
    );
    for (const more of [shown, located, linked]) {
      expect(permissionVerdict(edit({ path: "link" }, more), "never", []).verdict).toBe("ask");
    }
  });

  it.each(["read", "search", "think", "fetch", "execute", "other"] as const)(
    "is recognized by its diffs even if the agent calls it %s",
    (toolKind) => {
      const diffs = [{ path: "/srv/a/.git/hooks/x", oldText: null, newText: "" }];
      const ask = { toolName: toolKind, toolKind, input: { command: "npm test" }, diffs };
      const grants = [
        { toolName: toolKind, kind: toolKind },
        { toolName: toolKind, program: "npm test" },
      ];
      for (const mode of ["ask", "acceptEdits", "never"] as const) {
        expect(permissionVerdict(ask, mode, grants)).toEqual({ verdict: "ask" });
      }
      expect(permissionVerdict(ask, "plan", grants).verdict).toBe("deny");
      expect(grantFor(ask)).toBeUndefined();
      const plain = {
        toolName: toolKind,
        toolKind,
        input: {},
        diffs: [{ path: "a", oldText: "", newText: "x" }],
      };
      expect(permissionVerdict(plain, "plan", []).verdict).toBe("deny");
      expect(grantFor(plain)).toBeUndefined();
    },
  );

  it.each([
    { title: "Read", diffs: [{ path: ".git/hooks/x", newText: "" }] },
    { file_path: ".git/config", old_string: "a", new_string: "b" },
    { patch: "*** Begin Patch\n*** Add File: .git/hooks/x\n+x\n" },
    { changes: { ".git/hooks/x": { add: { content: "x" } } } },
  ])("is recognized by its input even if the agent calls it a read: %j", (input) => {
    const ask = { toolName: "read", toolKind: "read", input } as const;
    expect(permissionVerdict(ask, "plan", []).verdict).toBe("deny");
    for (const mode of ["ask", "acceptEdits", "never"] as const) {
      expect(permissionVerdict(ask, mode, [{ toolName: "read", kind: "read" }])).toEqual({ verdict: "ask" });
    }
    expect(grantFor(ask)).toBeUndefined();
  });

  it("can also be a deletion, a move, or a call of an unknown kind", () => {
    for (const toolKind of ["delete", "move", "other"] as const) {
      const ask = { toolName: "t", toolKind, input: { from: "a", to: ".git/config" } };
      expect(permissionVerdict(ask, "never", []).verdict).toBe("ask");
    }
  });

  it.each([
    { path: ".gitignore" },
    { path: ".github/workflows/a.yml" },
    { path: "my.git/a" },
    { path: "git/.gitkeep" },
    { path: "a.txt", content: ".git/config" },
    { path: "drover.yaml/a.txt" },
    { path: "my-drover.yaml" },
    { file_path: ".dockerignore", old_string: ".git", new_string: ".git\n.git/config" },
  ])("is not seen in %j", (input) => {
    expect(permissionVerdict(edit(input), "acceptEdits", []).verdict).toBe("allow");
    expect(grantFor(edit(input))).toEqual({ toolName: "edit", kind: "edit" });
  });

  it("is not seen in reads and commands", () => {
    const read = { toolName: "t", toolKind: "read", input: { path: ".git/config" } } as const;
    expect(permissionVerdict(read, "acceptEdits", []).verdict).toBe("allow");
    expect(permissionVerdict(command("cat .git/config"), "never", []).verdict).toBe("allow");
  });
});
