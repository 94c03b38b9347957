import { grantFor, permissionVerdict } from "@drover/core";
import { describe, expect, it } from "vitest";

const command = (text: string) =>
  ({ toolName: "run", toolKind: "execute", input: { command: text } }) as const;

describe("a permission for the session", () => {
  it("covers the same tool, and for commands the same program only", () => {
    const grants = [{ toolName: "run", program: "git" }];
    expect(permissionVerdict(command("git status"), "ask", grants).verdict).toBe("allow");
    expect(permissionVerdict(command("rm -rf ."), "ask", grants).verdict).toBe("ask");
    const edit = { toolName: "edit", toolKind: "edit", input: {} } as const;
    expect(permissionVerdict(edit, "ask", [{ toolName: "edit" }]).verdict).toBe("allow");
  });

  it.each([
    "git status; rm -rf .",
    "git $(rm x)",
    "git log | sh",
    "git x > y",
    "A=1 git x",
    "git x && y",
    "git 'a'",
  ])("is never remembered for %s, whose one program's name would stand for more", (text) => {
    expect(grantFor(command(text))).toBeUndefined();
    expect(permissionVerdict(command(text), "ask", [{ toolName: "run", program: "git" }]).verdict).toBe(
      "ask",
    );
  });
});

describe("permission modes", () => {
  it.each([
    ["plan", "edit", "deny"],
    ["plan", "delete", "deny"],
    ["plan", "move", "deny"],
    ["plan", "execute", "deny"],
    ["plan", "read", "allow"],
    ["plan", "search", "allow"],
    ["plan", "fetch", "allow"],
    ["plan", "think", "allow"],
    ["plan", "other", "ask"],
    ["acceptEdits", "edit", "allow"],
    ["acceptEdits", "execute", "ask"],
    ["ask", "read", "ask"],
    ["never", "execute", "allow"],
  ] as const)("%s: %s → %s", (mode, toolKind, verdict) => {
    expect(permissionVerdict({ toolName: "t", toolKind, input: {} }, mode, []).verdict).toBe(verdict);
  });
});
