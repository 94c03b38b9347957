import {
  buildResumeCommand,
  buildSpawnCommand,
  offeredModes,
  type PermissionMode,
  type SpawnCommand,
} from "@drover/core";
import { describe, expect, test } from "vitest";
import { commandLines, find } from "./support.ts";

const turn = { prompt: "hello", promptFile: "/run/prompt" };

function first(
  agent: string,
  permissionMode: PermissionMode,
  more: { model?: string; systemFlag?: string } = {},
) {
  return buildSpawnCommand(find(agent), { ...turn, permissionMode, ...more });
}

/** The command as typed in a shell: variables, program, arguments. */
function line({ command, args, env, stdin }: SpawnCommand): string {
  const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  return [...variables, command, ...args, ...(stdin === "prompt" ? ["<"] : [])].join(" ");
}

const typed = (result: ReturnType<typeof buildSpawnCommand>): string =>
  result.ok ? line(result.value) : `${result.error.code}: ${result.error.message}`;

interface Expected {
  /** With a model and a system text, if the agent has flags for them. */
  ask: string;
  modes: Partial<Record<PermissionMode, string>>;
  resumed: string;
}

const claudeArgs =
  "--output-format stream-json --verbose --include-partial-messages --system-prompt-snapshot off --print --permission-prompts none --permission-mode";
const codexArgs = "codex exec --json --disable unbounded_connection_retries --skip-git-repo-check -s";
const cnLess = "--exclude Bash --exclude Write --exclude Edit --exclude MultiEdit";
const denyAll = 'OPENCODE_PERMISSION={"edit":"deny","bash":"deny"}';
const aider = "aider --no-stream --no-pretty --no-check-update --no-show-release-notes --yes-always";
const cannotResume = (name: string) => `UNSUPPORTED: ${name} cannot resume a conversation`;

/** The exact command of a first turn in every mode, and of a resumed turn. `<`: the prompt is on standard input. */
const table: Record<string, Expected> = {
  "claude-print": {
    ask: `claude ${claudeArgs} default --model M --append-system-prompt S <`,
    modes: {
      plan: `claude ${claudeArgs} plan <`,
      acceptEdits: `claude ${claudeArgs} acceptEdits <`,
      never: `claude ${claudeArgs} bypassPermissions <`,
    },
    resumed: `claude ${claudeArgs} default --resume ID <`,
  },
  codex: {
    ask: `${codexArgs} read-only -m M - <`,
    modes: {
      plan: `${codexArgs} read-only - <`,
      acceptEdits: `${codexArgs} workspace-write - <`,
      never: `${codexArgs} danger-full-access - <`,
    },
    resumed: `${codexArgs} read-only resume ID - <`,
  },
  gemini: {
    ask: "gemini -o stream-json --skip-trust --approval-mode default -m M <",
    modes: {
      plan: "gemini -o stream-json --skip-trust --approval-mode plan <",
      acceptEdits: "gemini -o stream-json --skip-trust --approval-mode auto_edit <",
      never: "gemini -o stream-json --skip-trust --approval-mode yolo <",
    },
    resumed: "gemini -o stream-json --skip-trust --approval-mode default --resume ID <",
  },
  opencode: {
    ask: `${denyAll} opencode run --format json -m M <`,
    modes: {
      plan: `${denyAll} opencode run --format json <`,
      acceptEdits: 'OPENCODE_PERMISSION={"edit":"allow","bash":"deny"} opencode run --format json <',
      never: "opencode run --format json --auto <",
    },
    resumed: `${denyAll} opencode run --format json -s ID <`,
  },
  qwen: {
    ask: "qwen --auth-type openai -o stream-json --approval-mode default -m M --append-system-prompt S <",
    modes: {
      plan: "qwen --auth-type openai -o stream-json --approval-mode plan <",
      acceptEdits: "qwen --auth-type openai -o stream-json --approval-mode auto-edit <",
      never: "qwen --auth-type openai -o stream-json --approval-mode yolo <",
    },
    resumed: "qwen --auth-type openai -o stream-json --approval-mode default --resume ID <",
  },
  copilot: {
    ask: "copilot --output-format json --no-auto-update --no-ask-user --model M <",
    modes: {
      plan: "copilot --output-format json --no-auto-update --no-ask-user --mode plan <",
      acceptEdits: "copilot --output-format json --no-auto-update --no-ask-user --allow-tool=write <",
      never: "copilot --output-format json --no-auto-update --no-ask-user --allow-all-tools <",
    },
    resumed: "copilot --output-format json --no-auto-update --no-ask-user --resume=ID <",
  },
  cline: {
    ask: "cline --json --auto-approve false -m M -- hello",
    modes: {
      plan: "cline --json --auto-approve false -- hello",
      acceptEdits: 'UNSUPPORTED: Cline has no mode "acceptEdits"; choose one of: ask, plan, never',
      never: "cline --json --auto-approve true -- hello",
    },
    resumed: cannotResume("Cline"),
  },
  continue: {
    ask: `cn --format json ${cnLess} --model M --print <`,
    modes: {
      plan: `cn --format json ${cnLess} --print <`,
      acceptEdits: "cn --format json --exclude Bash --allow Write --allow Edit --allow MultiEdit --print <",
      never: "cn --format json --auto --print <",
    },
    resumed: cannotResume("Continue"),
  },
  pi: {
    ask: "pi --mode json --print --tools read,grep,find,ls --model M --append-system-prompt S <",
    modes: {
      plan: "pi --mode json --print --tools read,grep,find,ls <",
      acceptEdits: "pi --mode json --print --tools read,grep,find,ls,edit,write <",
      never: "pi --mode json --print <",
    },
    resumed: "pi --mode json --print --tools read,grep,find,ls --session ID <",
  },
  "cursor-agent": {
    ask: "cursor-agent --output-format stream-json --print --mode ask --model M <",
    modes: {
      plan: "cursor-agent --output-format stream-json --print --mode plan <",
      acceptEdits: 'UNSUPPORTED: Cursor has no mode "acceptEdits"; choose one of: ask, plan, never',
      never: "cursor-agent --output-format stream-json --print --force <",
    },
    resumed: "cursor-agent --output-format stream-json --print --mode ask --resume ID <",
  },
  amp: {
    ask: "amp --stream-json --execute <",
    modes: { never: 'UNSUPPORTED: Amp has no mode "never"; choose one of: ask' },
    resumed: "amp --stream-json threads continue ID --execute <",
  },
  aider: {
    ask: `${aider} --chat-mode ask --model M --message-file /run/prompt`,
    modes: {
      plan: `${aider} --chat-mode ask --message-file /run/prompt`,
      acceptEdits: `${aider} --no-suggest-shell-commands --message-file /run/prompt`,
      never: `${aider} --message-file /run/prompt`,
    },
    resumed: cannotResume("Aider"),
  },
};

test("every agent that is started for each prompt has its commands in this table", () => {
  expect(Object.keys(table).sort()).toEqual(commandLines.map(({ agent }) => agent).sort());
});

describe.for(Object.entries(table))("%s", ([agent, expected]) => {
  test("P10 is started without a terminal, with model and system text if it has flags for them", () => {
    expect(typed(first(agent, "ask", { model: "M", systemFlag: "S" }))).toBe(expected.ask);
  });

  test("P9 gets no flag without a system text, and the arguments of each mode", () => {
    for (const [mode, command] of Object.entries(expected.modes)) {
      expect(typed(first(agent, mode as PermissionMode))).toBe(command);
    }
  });

  test("resumes its conversation if it can", () => {
    const resumed = buildResumeCommand(find(agent), { ...turn, permissionMode: "ask", sessionId: "ID" });
    expect(typed(resumed)).toBe(expected.resumed);
  });
});

/** Options that let a program do anything without asking. */
const bypass = /bypass|danger|yolo|--auto(?!-)|--force|--allow-all|--auto-approve true/;

test("an agent that edits files without asking by default is started in a mode in which it asks", () => {
  expect(find("qwen-acp").args.join(" ")).toContain("--approval-mode default");
  expect(find("codex-acp").env).toMatchObject({ INITIAL_AGENT_MODE: "read-only" });
});

test.for<[string, "trusted" | "untrusted", object]>([
  ["gemini-acp", "trusted", { env: { GEMINI_CLI_TRUST_WORKSPACE: "true" } }],
  ["qwen", "untrusted", { args: ["--safe-mode"] }],
  ["qwen-acp", "untrusted", { args: ["--safe-mode"] }],
  ["copilot", "untrusted", { args: ["--no-custom-instructions"] }],
])("%s is started in a project that is %s with %o", ([agent, trust, extra]) => {
  expect(find(agent).trust).toEqual({ [trust]: extra });
});

test("no agent may act without asking unless the session's mode is `never`", () => {
  for (const preset of commandLines) {
    for (const mode of offeredModes(preset).filter((each) => each !== "never")) {
      expect(typed(first(preset.agent, mode)), preset.agent).not.toMatch(bypass);
    }
  }
  expect(typed(first("codex", "never"))).toMatch(bypass);
});
