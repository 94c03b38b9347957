import { grantedProgram, grantFor, permissionVerdict, scopesOf } from "@drover/core";
import { describe, expect, it } from "vitest";

const run = (command: unknown, more: object = {}) =>
  ({ toolName: "run", toolKind: "execute", input: { command, ...more } }) as const;

const remembered = (input: object) => grantedProgram({ toolKind: "execute", input });

describe("approving a command for the session", () => {
  it.each(
    [
      ...["busybox rm -rf x", "toybox rm x", "npx rimraf x", "pnpx rimraf x", "bunx rimraf x", "uvx ruff"],
      ...[
        "pipx run x",
        "watch rm x",
        "flock /tmp/l rm x",
        "su -c x",
        "su root x",
        "runuser -u x rm",
        "sudo rm",
      ],
      ...[
        "doas rm x",
        "pkexec rm x",
        "setpriv --nnp rm",
        "chroot / rm x",
        "unshare -r rm x",
        "nsenter -t 1 rm",
      ],
      ...["ssh host rm x", "scp -S ./x a b:", "sftp -S ./x h", "rsync -e ./x a b", "systemd-run rm x"],
      ...["script -c x", "expect -c x", "parallel rm", "entr rm x", "strace rm x", "ltrace rm x", "gdb ./x"],
      ...[
        "valgrind ./x",
        "perf stat rm x",
        "stdbuf -o0 rm x",
        "ionice rm x",
        "chrt 1 rm x",
        "taskset 1 rm x",
      ],
      ...[
        "cpulimit -l 1 rm x",
        "unbuffer rm x",
        "faketime now rm x",
        "nice rm x",
        "nohup rm x",
        "setsid rm x",
      ],
      ...["timeout 5 rm x", "time rm x", "xargs rm", "env rm x", "/usr/bin/env rm x", "env FOO=1 rm x"],
      ...[
        "command rm x",
        "builtin eval x",
        "coproc rm x",
        "exec rm x",
        "exec -a git rm x",
        "eval rm",
        ". ./x",
      ],
      ...["source ./x", "alias git=rm", "hash -p ./x git", "trap x EXIT", "repeat 3 rm x", "noglob rm x"],
      ...[
        "vim -c x",
        "vi x",
        "less x",
        "man -P ./x ls",
        "ed x",
        "emacs --eval x",
        "awk x",
        "gawk -f x",
        "sed -f x",
      ],
      ...[
        "sed 1e x",
        "tar --checkpoint-action=exec=x",
        "tar xf x",
        "gtar xf x",
        "zip -TT x",
        "split --filter=x",
      ],
      ...["sqlite3 x", "psql -c x", "m4 x", "crontab x", "at now", "tmux new x", "screen x", "xterm -e x"],
      ...["poetry run x", "uv run x", "bundle exec x", "conda run x", "nix run x", "direnv exec . x"],
      ...[
        "bwrap rm x",
        "firejail rm x",
        "fakeroot rm x",
        "torsocks rm x",
        "proxychains4 rm x",
        "ccache gcc x",
      ],
      ...["/lib64/ld-linux-x86-64.so.2 ./x", "ld-musl-x86_64.so.1 ./x", "setarch x86_64 rm x", "x86_64 rm x"],
      ...["find . -exec rm {} +", "find . -execdir rm x", "find . -ok rm x", "fd -x rm", "fd --exec rm"],
      ...["rg --pre ./x y", "sort --compress-program=./x y", "make -f x", "make SHELL=./x", "make --eval=x"],
    ].map((text) => [text]),
  )("is not offered for %s, which runs what it is given", (text) => {
    expect(scopesOf(run(text))).toEqual(["once"]);
    expect(scopesOf(run(text.split(" ")))).toEqual(["once"]);
  });

  it.each(
    [
      ...[
        "bash",
        "bash -x a.sh",
        "bash -s",
        "bash --rcfile x a.sh",
        "sh -",
        "bash /dev/stdin",
        "zsh -f a.sh",
      ],
      ...["node -e x", "node --import ./x a.js", "node", "node inspect a.js", "node20 -e x", "nodejs -p x"],
      ...[
        "python -c x",
        "python3 -m http.server",
        "python3.11 -c x",
        "/usr/bin/python3.11 -m x",
        "pypy3 -c x",
      ],
      ...[
        "perl -e x",
        "perl5.36 -ne x",
        "ruby -e x",
        "ruby3.1 -e x",
        "php -r x",
        "php8.2 -r x",
        "lua5.4 -e x",
      ],
      ...["python3 /proc/self/fd/0", "bash /dev/fd/3", "bash-5.2 -i"],
    ].map((text) => [text]),
  )("is not offered for %s, which names no script", (text) => {
    expect(grantFor(run(text))).toBeUndefined();
  });

  it.for<[command: unknown, remembered: string, covered: unknown, notCovered: unknown]>([
    ["bash deploy.sh", "bash deploy.sh", "bash deploy.sh prod", "bash other.sh"],
    ["./deploy.sh a", "./deploy.sh", "./deploy.sh b", "bash deploy.sh"],
    ["sh ci/run", "sh ci/run", ["sh", "ci/run", "x y"], "sh ci/other"],
    ['bash -lc "./deploy.sh"', "./deploy.sh", "./deploy.sh x", "deploy.sh"],
    ['bash -c "bash a.sh"', "bash a.sh", "bash a.sh", "bash b.sh"],
    ["node x.mjs", "node x.mjs", "node x.mjs --fast", "node -r ./evil x.mjs"],
    ["python3.11 tool.py", "python3.11 tool.py", "python3.11 tool.py a", "python3.11 -c x"],
    ["perl a.pl", "perl a.pl", "perl a.pl x", "perl -e x"],
    ["npm run test", "npm run test", "npm run test", "npm run deploy"],
    ["npm run test", "npm run test", "npm  run  test", "npm run test --prefix ../evil"],
    ["npm test", "npm test", "npm test", "npm test --script-shell ./evil"],
    ["npm ci", "npm ci", "npm ci", "npm exec evil"],
    ["npm ci", "npm ci", "npm ci", "npm x evil"],
    ["pnpm build", "pnpm build", "pnpm build", "pnpm dlx evil"],
    ["yarn build", "yarn build", "yarn build", "yarn exec evil"],
    ["bun test", "bun test", "bun test", "bun x evil"],
    ["deno task build", "deno task build", "deno task build", "deno eval x"],
    ["deno run a.ts", "deno run a.ts", "deno run a.ts", "deno run -A a.ts"],
    ["docker ps", "docker ps", "docker ps -a", "docker exec x sh"],
    ["podman logs x", "podman logs", "podman logs y", "podman run x"],
    ["go test ./pkg", "go test ./pkg", "go test ./pkg", "go test -exec ./evil ./pkg"],
    ["cargo test", "cargo test", "cargo test", "cargo run"],
    ["git status", "git status", "git status -s", "git -c core.pager=./evil status"],
    ["git diff a", "git diff", "git diff 'b c'", "git rebase -x ./evil"],
    ["git log", "git log", "git log -p", "git grep -O./evil x"],
    ["git push origin", "git push origin", "git push origin", "git push origin --receive-pack=./evil"],
    ["git fetch", "git fetch", "git fetch", "git fetch --upload-pack=./evil"],
    ["git bisect run ./a", "git bisect run ./a", "git bisect run ./a", "git bisect run ./b"],
    ["git-2.40 status", "git-2.40 status", "git-2.40 status -s", "git-2.40 evil"],
    ["make test", "make test", "make test", "make build"],
    ["find . -name x", "find", "find .. -name 'a b'", "find . -exec rm x"],
    ["rg x", "rg", "rg -n 'a b'", "rg --pre ./evil x"],
    ["ls -l", "ls", "ls -a", "rm x"],
    ["/usr/bin/git status", "/usr/bin/git status", "/usr/bin/git status -s", "git status"],
  ])("of %j remembers %j", ([command, program, covered, notCovered]) => {
    const grant = { toolName: "run", program };
    expect(grantFor(run(command))).toEqual(grant);
    expect(permissionVerdict(run(covered), "ask", [grant]).verdict).toBe("allow");
    expect(permissionVerdict(run(notCovered), "ask", [grant]).verdict).toBe("ask");
  });

  it.each([
    { env: { LD_PRELOAD: "/tmp/x.so" } },
    { dangerouslyDisableSandbox: true },
    { shell: "/tmp/evil" },
    { cmd: "rm -rf ~" },
    { args: ["-c", "rm"] },
  ])("is offered for no command that has %j beside it", (others) => {
    expect(remembered({ command: "ls", ...others })).toBeUndefined();
    expect(remembered({ command: "ls", description: "Lists files", timeout: 1000 })).toBe("ls");
  });

  it.each([
    "git log -1 --format=x --output=.git/config",
    "git log --outp=/root/.bashrc",
    "git log -p --ext-diff",
    "git diff -Ox",
    "git show --textconv",
    "find / -delete",
    "find . -fprintf /root/.bashrc x",
    "sort -no out in",
    "test -v x",
    "printf -v x y",
    "[ -v x ]",
  ])("does not cover %s, which writes or runs something else", (command) => {
    expect(remembered({ command })).toBeUndefined();
  });

  it.each([
    ["git log --oneline -5", "git log"],
    ["git diff --stat HEAD", "git diff"],
    ["gh pr list", "gh pr list"],
    ["terraform plan", "terraform plan"],
    ["cp a b", "cp"],
    ["make", "make"],
    ["make test", "make test"],
    ["cmake -E env id", "cmake -E env id"],
    ["rustc -C linker=./x a.rs", "rustc -C linker=./x a.rs"],
    ["prettier --check .", "prettier --check ."],
    ["turbo run build", "turbo run build"],
    ["gcc -wrapper id a.c", "gcc -wrapper id a.c"],
    ["sort in", "sort"],
  ])("of %s remembers %s", (command, named) => {
    expect(remembered({ command })).toBe(named);
  });

  it.each([
    "cp a .git/hooks/pre-commit",
    "cp -t.git/hooks a",
    "dd if=a of=.git/config",
    "tee sub/.GIT/config",
    "git log --output=.git/config",
    "cp a link/hooks/x",
    "cp -tlink/hooks a",
    "cp -at.git/hooks a",
    "cp a .g'it'/hooks/x",
    'bash -c "cp a .git/hooks/x"',
    `bash -c "cp a .g'it'/hooks/x"`,
    "cp -atlink/hooks a",
    "mv -uft.git/hooks a",
    "unzip -oqd.git/hooks b",
  ])("is not offered for %s, which may write below .git", (command) => {
    const realPath = (path: string) => path.replace(/^link/, "/repository/.git");
    expect(grantFor({ ...run(command), realPath })).toBeUndefined();
    expect(grantFor({ ...run("cp a b"), realPath })).toEqual({ toolName: "run", program: "cp" });
  });

  it("makes another directory's make another", () => {
    expect(remembered({ command: "make", cwd: "/evil" })).toBe("make (in /evil)");
  });

  it("remembers the directory that the tool names, where another one holds another script", () => {
    const script = grantFor(run("bash deploy.sh", { cwd: "/repo" }));
    expect(script).toEqual({ toolName: "run", program: "bash deploy.sh (in /repo)" });
    const elsewhere = [run("bash deploy.sh", { workdir: "/tmp/evil" }), run("bash deploy.sh")];
    for (const ask of elsewhere) {
      expect(permissionVerdict(ask, "ask", script ? [script] : []).verdict).toBe("ask");
    }
    expect(grantFor(run("npm run test", { cwd: "/repo" }))?.program).toBe("npm run test (in /repo)");
    expect(grantFor(run("./deploy.sh", { workdir: "/repo" }))?.program).toBe("./deploy.sh (in /repo)");
    expect(grantFor(run("ls -l", { cwd: "/repo" }))?.program).toBe("ls");
    expect(grantFor(run("bash deploy.sh", { cwd: "/a\u202eb" }))).toBeUndefined();
  });

  it.each([
    [["bash deploy.sh"]],
    [["./a\u202eb"]],
    [["bash", "a\u001b[2K"]],
    [["npm", "run", "a b"]],
    [["git", "push", "x y"]],
    [["npm", "run", "a".repeat(300)]],
  ])("is not offered for %j, whose words cannot be told apart or read", (command) => {
    expect(grantFor(run(command))).toBeUndefined();
  });

  it("given earlier for a whole carrier or interpreter covers nothing any more", () => {
    const old = ["bash", "npm", "git", "busybox", "npx"].map((program) => ({ toolName: "run", program }));
    for (const text of ["bash x.sh", "npm run x", "git push", "busybox rm x", "npx x"]) {
      expect(permissionVerdict(run(text), "ask", old).verdict).toBe("ask");
    }
  });
});
