import { grantFor, permissionVerdict } from "@drover/core";
import { describe, expect, it } from "vitest";

const run = (command: unknown, more: object = {}) =>
  ({ toolName: "run", toolKind: "execute", input: { command, ...more } }) as const;

const remembered = (input: object) => grantFor({ toolName: "run", toolKind: "execute", input })?.program;

/** Whether `then` runs without asking once `command` is approved for the session. */
const allows = (command: unknown, then: unknown): boolean => {
  const grant = grantFor(run(command));
  return permissionVerdict(run(then), "ask", grant ? [grant] : []).verdict === "allow";
};

describe("approving a command for the session", () => {
  it.for<[command: string, others: string[]]>([
    ["npm run test", ["npm run deploy", "npm run test --prefix ../evil", "npm exec evil"]],
    ["npx vitest run", ["npx rimraf x", "npx vitest"]],
    ["bash deploy.sh", ["bash deploy.sh prod", "bash other.sh", "bash"]],
    ["./deploy.sh a", ["./deploy.sh", "./deploy.sh b", "bash deploy.sh a"]],
    ["node x.mjs", ["node -r ./evil x.mjs", "node x.mjs y"]],
    ["python3.11 tool.py", ["python3.11 -c x", "python3.11 other.py"]],
    ["cargo test", ["cargo run", "cargo test --config evil"]],
    ["make test", ["make", "make build", "make test SHELL=./evil"]],
    ["docker ps", ["docker exec x sh", "docker ps -a"]],
    ["timeout 5 make test", ["timeout 5 rm x"]],
    ["sudo ls", ["sudo rm x", "ls"]],
    ["cp a b", ["cp a c", "cp"]],
    ["rm x", ["rm -rf x", "rm y"]],
    ["sort in", ["sort in -o out"]],
    ["git commit -mx", ["git commit -S -mx", "git commit -my"]],
    ["git push origin", ["git push origin --force", "git push"]],
    ["git branch x", ["git branch -D x"]],
    ["git checkout main", ["git checkout ."]],
    ["git -C sub status", ["git -C other status", "git status"]],
    ["/usr/bin/git status", ["git status", "/usr/bin/git status -s"]],
    ["./ls", ["ls", "./ls -l"]],
    ["some-unknown-tool --a=b", ["some-unknown-tool --a=c", "some-unknown-tool"]],
  ])("such as %s covers exactly that text", ([command, others]) => {
    expect(grantFor(run(command))).toEqual({ toolName: "run", program: command });
    expect(grantFor(run(command.split(" ")))).toEqual({ toolName: "run", program: command });
    expect(allows(command, command.replaceAll(" ", "  "))).toBe(true);
    expect(others.filter((other) => allows(command, other))).toEqual([]);
  });

  it.for(["\u3000", "\r", "\u00a0", "\u2028", "\ufeff", "\v", "\f"])(
    "does not cover another file whose name ends in %j",
    (character) => {
      for (const other of [`./build.sh${character}`, `${character}./build.sh`]) {
        expect(allows("./build.sh", other)).toBe(false);
        expect(allows("./build.sh", ["bash", "-lc", other])).toBe(false);
        expect(grantFor(run(other))).toBeUndefined();
      }
      expect(allows("./build.sh", " \t./build.sh \n")).toBe(true);
    },
  );

  it.for<[command: string, program: string, covered: string, notCovered: string]>([
    ["ls -l", "ls", "ls -a 'my files'", "rm x"],
    ["cat a", "cat", "cat b c", "tac b"],
    ["touch a", "touch", "touch b", "tee b"],
    ["rg x", "rg", "rg -n 'a\\b' src", "rg --pre ./evil x"],
    ["rg x", "rg", "rg -c y", "rg '--p're ./evil x"],
    ["find . -name x", "find", "find .. -name 'a b'", "find . -exec rm x"],
    ["find . -name x", "find", "find -newer y", "find / -delete"],
    ["find . -name x", "find", "find -newer y", "find . -fprintf /root/.bashrc x"],
    ["git status", "git status", "git status -s", "git -c core.pager=./evil status"],
    ["git diff a", "git diff", "git diff 'b c'", "git diff --output=x"],
    ["git log", "git log", "git log -p", "git log --outp=/root/.bashrc"],
    ["git log", "git log", "git log --oneline -5", "git log -p --ext-diff"],
    ["git show", "git show", "git show HEAD", "git show --textconv"],
    ["git diff", "git diff", "git diff --stat HEAD", "git diff -Ox"],
    ["git log", "git log", "git log --format=%h", "git log --pretty=format:%GG"],
    ["git log", "git log", "git log --format=%h", "git log '--format=%+GS'"],
    ["git log", "git log", "git log --format=%h", "git log '--format=% GG'"],
    ["ls -l", "ls", "ls\ta", "ls a\u0015touch b"],
    ["find . -name x", "find", "find -newer y", "find . -del\0ete"],
    ["rg x", "rg", "rg -c y", "rg -\0-pre=./x a"],
    ["rg x", "rg", "rg -c y", "rg 'a\u009b'"],
    ["git add a", "git add", "git add -A", "git rm a"],
  ])("such as %s covers %s with harmless arguments", ([command, program, covered, notCovered]) => {
    expect(grantFor(run(command))).toEqual({ toolName: "run", program });
    expect(allows(command, covered)).toBe(true);
    expect(allows(command, notCovered)).toBe(false);
  });

  it.each([
    { env: { LD_PRELOAD: "/tmp/x.so" } },
    { dangerouslyDisableSandbox: true },
    { shell: "/tmp/evil" },
    { cmd: "rm -rf ~" },
    { args: ["-c", "rm"] },
    { cwd: "/repo", workdir: "/tmp/evil" },
  ])("is not offered if the input also has %j", (others) => {
    expect(remembered({ command: "ls", ...others })).toBeUndefined();
    expect(remembered({ command: "ls", description: "Lists files", timeout: 1000 })).toBe("ls");
  });

  it.each([
    "cp a .git/hooks/pre-commit",
    "dd if=a of=.git/config",
    "tee sub/.GIT/config",
    "git log --output=.git/config",
    "cp a link/hooks/x",
    "cp a .g'it'/hooks/x",
    'bash -c "cp a .git/hooks/x"',
    `bash -c "cp a .g'it'/hooks/x"`,
  ])("is not offered for %s, which may write below .git", (command) => {
    const realPath = (path: string) => path.replace(/^link/, "/repository/.git");
    expect(grantFor({ ...run(command), realPath })).toBeUndefined();
    expect(grantFor({ ...run("cp a b"), realPath })).toEqual({ toolName: "run", program: "cp a b" });
  });

  it("covers only the directory that the tool names, because another may hold another script", () => {
    const script = grantFor(run("bash deploy.sh", { cwd: "/repo" }));
    expect(script).toEqual({ toolName: "run", program: "bash deploy.sh (in /repo)" });
    const otherDirectories = [run("bash deploy.sh", { workdir: "/tmp/evil" }), run("bash deploy.sh")];
    for (const ask of otherDirectories) {
      expect(permissionVerdict(ask, "ask", script ? [script] : []).verdict).toBe("ask");
    }
    expect(remembered({ command: "make", cwd: "/evil" })).toBe("make (in /evil)");
    expect(remembered({ command: "git status", workdir: "/repo" })).toBe("git status (in /repo)");
    expect(remembered({ command: "ls -l", cwd: "/repo" })).toBe("ls");
    expect(remembered({ command: "make", cwd: "/a\u202eb" })).toBeUndefined();
    expect(remembered({ command: "make", cwd: ["/a"] })).toBeUndefined();
  });

  it.each([
    [["bash deploy.sh"]],
    [["./a\u202eb"]],
    [["bash", "a\u001b[2K"]],
    [["npm", "run", "a b"]],
    [["git", "push", "x y"]],
    [["npm", "run", ""]],
    [["npm", "run", "a".repeat(300)]],
    [["ls", "; rm x"]],
    [["A=1", "make"]],
    [[]],
    ["bash"],
    ["sh -"],
    ["bash -s"],
    ["bash -x a.sh"],
    ["zsh -ic ls"],
    [`echo '\\' 'x;rm y;' '\\'`],
  ])("is not offered for %j, which may do more than it seems", (command) => {
    expect(grantFor(run(command))).toBeUndefined();
  });

  it("no longer covers a whole program that runs others, even if granted earlier", () => {
    const old = ["bash", "npm", "git", "busybox", "npx"].map((program) => ({ toolName: "run", program }));
    for (const text of ["bash x.sh", "npm run x", "git push", "busybox rm x", "npx x"]) {
      expect(permissionVerdict(run(text), "ask", old).verdict).toBe("ask");
    }
  });
});
