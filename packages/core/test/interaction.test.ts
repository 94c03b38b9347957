import { grantFor, matchAnswers, permissionVerdict, type Question } from "@drover/core";
import { describe, expect, it } from "vitest";

const command = (text: string) =>
  ({ toolName: "run", toolKind: "execute", input: { command: text } }) as const;

describe("a permission for the session", () => {
  it("covers the same tool, and for commands the same program only", () => {
    const grants = [{ toolName: "run", program: "git status" }];
    expect(permissionVerdict(command("git status -s"), "ask", grants).verdict).toBe("allow");
    expect(permissionVerdict(command("git push"), "ask", grants).verdict).toBe("ask");
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
    "git x &",
    "git x\nrm y",
    'git "$(rm x)"',
    'git "`rm x`"',
    "git 'a",
    "git 'a' > y",
    "git 'a';rm x",
    "git \\; rm",
    "'git' x",
    "git *",
    "! git x",
    "sudo git x",
    "env git x",
    'bash -c "git x; rm y"',
    "bash -c 'git x' y",
    "bash --norc -c 'git x'",
    "",
  ])("is never remembered for %s, whose one program's name would stand for more", (text) => {
    expect(grantFor(command(text))).toBeUndefined();
    expect(permissionVerdict(command(text), "ask", [{ toolName: "run", program: "git" }]).verdict).toBe(
      "ask",
    );
  });

  it.each([
    ["git commit -m 'it works; really'", "git commit"],
    ['git commit -m "a | b" --amend', "git commit"],
    ["  git   log \n", "git log"],
    ['grep -n "x y"z file', "grep"],
    ["./run.sh", "./run.sh"],
    ["bash run.sh fast", "bash run.sh"],
    ['bash -lc "npm test"', "npm test"],
    ["/bin/sh -c 'git log'", "git log"],
    [["bash", "-lc", "npm test"], "npm test"],
    [["git", "log", "--grep", "a;b"], "git log"],
  ])("remembers of %j the program %s", (text, program) => {
    const ask = { toolName: "run", toolKind: "execute", input: { command: text } } as const;
    expect(grantFor(ask)).toEqual({ toolName: "run", program });
  });

  it("for what a shell was given is none for the shell", () => {
    const npm = grantFor(command('bash -lc "npm test"'));
    const others = [command('bash -lc "rm -rf ."'), command("bash run.sh"), command("npm test; rm x")];
    expect(others.map((ask) => permissionVerdict(ask, "ask", npm ? [npm] : []).verdict)).toEqual(
      Array.from({ length: 3 }, () => "ask"),
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

describe("answers to questions", () => {
  const ask = (id: string, header?: string): Question => ({
    id,
    ...(header ? { header } : {}),
    question: `About ${id}?`,
    options: [],
    multiSelect: false,
  });

  it("H4 go to the question of that id, whatever header another one has", () => {
    const questions = [ask("delete", "keep"), ask("keep", "delete")];
    const answers = { delete: "no", keep: "yes" };
    expect(matchAnswers(questions, answers)).toMatchObject({ ok: true, value: answers });
  });

  it("H4 are wanted for an id that every object seems to know", () => {
    expect(matchAnswers([ask("constructor")], {})).toMatchObject({ ok: false });
    expect(matchAnswers([ask("constructor")], { constructor: "yes" })).toMatchObject({ ok: true });
  });
});
