// The scenes that every command line is recorded with.
import type { Failure, Step } from "../models/script.ts";

export interface Scene {
  name: string;
  steps: Step[];
  /** The conversation the turn resumes; by default it starts a new one. */
  resumes?: "earlier" | "unknown";
  /** Deny everything that would need an approval. */
  isCareful?: true;
  /** Sent as soon as the scene's command runs. */
  signal?: NodeJS.Signals;
  /** Some programs never give up. */
  mayBeEndless?: true;
  /** The model's address refuses connections. */
  isRefused?: true;
}

/** The file that a command creates once it runs. */
export const startedFile = "started";

/** Creates its file late, when the agent has surely reported the command. */
const endless: Step[] = [{ run: `sleep 1; touch ${startedFile}; tail -f /dev/null` }, { say: "Never said." }];

/** An earlier turn, for the one that resumes it. */
export const earlier: Step[] = [{ say: "The robin sings." }];

export const turnScenes: readonly Scene[] = [
  { name: "answer", steps: [{ say: "The robin sings. Das Rotkehlchen singt 🐦." }] },
  { name: "thinking", steps: [{ think: "Which bird sings? The robin does.", say: "The robin sings." }] },
  { name: "command", steps: [{ say: "I look.", run: "echo one; echo two" }, { say: "Done." }] },
  {
    name: "edit",
    steps: [{ say: "I write it.", write: { path: "notes.txt", text: "one\ntwo" } }, { say: "Done." }],
  },
  { name: "parallel", steps: [{ runs: ["echo fox", "echo owl"] }, { say: "Done." }] },
  { name: "failing-tool", steps: [{ run: "echo oops >&2; exit 3" }, { say: "It failed." }] },
  {
    name: "speaks-of-errors",
    steps: [
      { say: "HTTP 429 means rate limit exceeded; a usage limit error or 401 Unauthorized ends a turn." },
    ],
  },
  { name: "resumed", resumes: "earlier", steps: [{ say: "It still sings." }] },
  { name: "unknown-conversation", resumes: "unknown", steps: [{ say: "Never said." }] },
  { name: "interrupted", signal: "SIGINT", steps: endless },
  { name: "terminated", signal: "SIGTERM", steps: endless },
];

/** A call that is denied: by default of the shell tool, which not every agent offers in this mode. */
export const deniedScene = (call: Step = { run: "echo x > notes" }): Scene => ({
  name: "denied",
  isCareful: true,
  steps: [call, { say: "I may not." }],
});

/** How models fail; each vendor has its own response for a usage limit. */
export const failureScenes = (usageLimit: Failure): readonly Scene[] =>
  failures(usageLimit).map((scene) => ({ ...scene, mayBeEndless: true }));

const failures = (usageLimit: Failure): Scene[] => [
  { name: "auth", steps: [{ fail: { status: 401, message: "The key is not valid." } }] },
  { name: "rate-limit", steps: [{ fail: { status: 429, message: "Too many requests." } }] },
  { name: "usage-limit", steps: [{ fail: usageLimit }] },
  { name: "overloaded", steps: [{ fail: { status: 529, message: "Overloaded." } }] },
  {
    name: "failed-after-tool",
    steps: [{ run: "echo one" }, { fail: { status: 401, message: "The key is gone." } }],
  },
  { name: "dropped", steps: [{ drop: true }] },
  { name: "dropped-midway", steps: [{ say: "One two three four five six seven.", drop: "midway" }] },
  { name: "refused", isRefused: true, steps: [{ say: "Never said." }] },
];
