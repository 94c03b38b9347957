const words = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/).filter(Boolean));

/**
 * Programs that run whatever their arguments, files or input tell them to, in a way that no single argument names. They
 * are never granted for a session.
 */
export const carriers = words(`
  . [ [[ alias and begin bind builtin command compgen complete coproc declare enable eval exec export fc hash mapfile nocorrect
  getopts let local noglob not or printf read readarray readonly repeat set source test time trap typeset unset wait
  busybox coreutils toybox
  capsh chpst doas gosu newgrp pkexec run0 runcon runuser setpriv setuidgid sg softlimit su su-exec sudo sudoedit
  asdf direnv dotenv env envdir mise
  aa-exec bwrap chroot daemon daemonize dbus-launch dbus-run-session fakechroot fakeroot firejail ip machinectl nsenter
  proot run-parts sandbox-exec ssh-agent start-stop-daemon systemd-cat systemd-inhibit systemd-nspawn systemd-run
  unshare xvfb-run
  cgexec choom chrt cpulimit i386 ionice linux32 linux64 nice numactl prlimit setarch taskset uname26 x86_64
  catchsegv chronic dumb-init eatmydata expect faketime flock ifne lckdo logsave mispipe nohup proxychains rlwrap
  run-one script setsid stdbuf timelimit timeout tini torify torsocks trickle tsocks unbuffer
  at batch ccache chokidar concurrently cross-env crontab distcc entr hyperfine nodemon parallel sccache sem
  start-server-and-test watch watchexec xargs
  bundle bunx conda corepack fnm guix hatch mamba micromamba nix nix-env nix-shell npx nvm pdm pipenv pipx pnpx poetry
  rye uv uvx volta
  autossh mosh nc ncat netcat rexec rsh rsync scp sftp socat ssh sshpass
  abduco alacritty dtach gio gnome-terminal kitty konsole open screen tmux xdg-open xterm zellij
  bpftrace gdb heaptrack ldd lldb ltrace perf rr strace valgrind
  ed emacs emacsclient ex git-shell info less man micro more most nano nvim pager pico vi view vim vimdiff
  awk dc gawk jshell m4 mariadb mawk mongosh mysql nawk nmap psql sed sqlite sqlite3
  bsdtar cpio split tar zip
  ansible apptainer fab flatpak incus lxc multipass singularity snap vagrant wine
`);

export const shells = words(`
  ash bash csh dash elvish fish ksh mksh nu powershell pwsh rbash sh tcsh xonsh yash zsh
`);

/** Programs that run the script named first. A grant names that script as well. */
export const interpreters = words(`
  Rscript elixir escript groovy guile jruby julia lua luajit node nodejs osascript perl php pypy python racket raku ruby
  scala tclsh ts-node tsx wish
`);

const none = words("");
const containers = words("images info logs ps version");

/**
 * Programs that run others under some of their subcommands. The listed ones take no command: they are granted by name
 * ("git status"). Everything else is granted as exactly the words that were approved ("npm run test").
 */
export const runners: Readonly<Record<string, ReadonlySet<string>>> = {
  git: words(`
    add blame branch checkout commit describe diff log ls-files merge-base mv reset restore rev-list rev-parse rm
    shortlog show stash status switch tag
  `),
  ...{ docker: containers, nerdctl: containers, podman: containers },
  kubectl: words("describe get logs version"),
  ...{ bun: none, deno: none, npm: none, pnpm: none, yarn: none },
  ...{ ant: none, bazel: none, gradle: none, gradlew: none, mvn: none, mvnw: none },
  ...{ just: none, rake: none, task: none },
  ...{ cargo: none, dotnet: none, go: none, java: none, nox: none, tox: none },
  ...{
    apt: none,
    "apt-get": none,
    aws: none,
    az: none,
    gcloud: none,
    gh: none,
    helm: none,
    hg: none,
    pip: none,
  },
  ...{ systemctl: none, terraform: none, tofu: none },
  ...{ ack: none, ag: none, bat: none, batcat: none, curl: none, wget: none },
  ...{
    cc: none,
    "c++": none,
    clang: none,
    "clang++": none,
    gcc: none,
    "g++": none,
    cmake: none,
    ctest: none,
  },
  ...{ make: none, meson: none, ninja: none, rustc: none, swift: none },
  ...{
    babel: none,
    esbuild: none,
    gulp: none,
    grunt: none,
    next: none,
    nx: none,
    parcel: none,
    prettier: none,
  },
  ...{ rollup: none, swc: none, turbo: none, vite: none, webpack: none },
  ...{
    code: none,
    ctags: none,
    delta: none,
    "docker-compose": none,
    install: none,
    mypy: none,
    openssl: none,
  },
  ...{ pandoc: none, "pre-commit": none, rclone: none },
  ...{ eslint: none, jest: none, mocha: none, pytest: none, vitest: none },
};

/**
 * Programs that run others, or write to a file they name, only when one of their words matches. Such a command is never
 * granted for a session.
 */
export const carryingWords: Readonly<Record<string, RegExp>> = {
  find: /^-(exec|ok|delete|fprint|fls)/,
  fd: /^(-[a-zA-Z]*[xX]|--exec)/,
  fdfind: /^(-[a-zA-Z]*[xX]|--exec)/,
  make: /^-|=/,
  rg: /^--(pre|hostname-bin)/,
  // Its long options may be shortened: --output, --ext-diff, --textconv, --exec, --open-files-in-pager, --gpg-sign.
  git: /^(--(ou|ex|te|op|up|rec|gp|show-si)|-O)/,
  sort: /^(--(co|o)|-[a-zA-Z]*o)/,
};
