// Runs the real `drover` in a pseudo-terminal and records its output byte for byte.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { shellWord } from "@drover/core";
import { cleanEnvironment, droverCommand } from "../../../../test/kit/server.ts";
import { until } from "../../../../test/kit/until.ts";

export interface PtyOptions {
  /** HOME; Drover's own home is `.drover` in it. */
  readonly home: string;
  readonly env?: Readonly<Record<string, string>>;
}

export interface Pty extends AsyncDisposable {
  /** The bytes the terminal received, with the program's own line ends. */
  bytes(): string;
  says(text: string | RegExp): Promise<void>;
  type(keys: string): void;
  readonly ended: Promise<number | null>;
}

/** Starts `drover ARGS` on a terminal of 100 columns. */
export function startInPty(args: readonly string[], { home, env = {} }: PtyOptions): Pty {
  const command = [process.execPath, droverCommand, ...args].map(shellWord).join(" ");
  const child = spawn("script", ["-qefc", `stty cols 100 rows 40; exec ${command}`, "/dev/null"], {
    cwd: home,
    env: {
      ...cleanEnvironment(home),
      DROVER_NO_AUTOSTART: "1",
      TERM: "xterm-256color",
      SHELL: "/bin/sh",
      ...env,
    },
    stdio: ["pipe", "pipe", "inherit"],
  });
  const chunks: Buffer[] = [];
  child.stdout.on("data", (chunk: Buffer) => chunks.push(chunk));
  // The terminal driver turns every LF into CR LF.
  const bytes = () => Buffer.concat(chunks).toString("utf8").replaceAll("\r\n", "\n");
  const ended = once(child, "close").then(([code]) => code as number | null);
  return {
    bytes,
    ended,
    type: (keys) => void child.stdin.write(keys),
    says: async (text) => {
      const said = () => (typeof text === "string" ? bytes().includes(text) : text.test(bytes()));
      await until(said, { what: `the terminal shows ${text}` });
    },
    [Symbol.asyncDispose]: async () => {
      child.stdin.end();
      if (child.exitCode === null) child.kill("SIGHUP");
      await ended;
    },
  };
}
