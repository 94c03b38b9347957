import { native, preset } from "./preset.ts";

const modelKeys = [
  ...["ANTHROPIC_API_KEY", "OPENAI_API_KEY", "GEMINI_API_KEY", "OPENROUTER_API_KEY", "DEEPSEEK_API_KEY"],
  ...["GROQ_API_KEY", "MISTRAL_API_KEY", "XAI_API_KEY"],
];

const readOnly = ["--tools", "read,grep,find,ls"];
const clineError = { type: "agent_event", at: ["event", "error", "message"] };
const each = (option: string, ...tools: string[]) => tools.flatMap((tool) => [option, tool]);
const edits = ["Write", "Edit", "MultiEdit"];

export const otherPresets = [
  preset({
    agent: "cline",
    name: "Cline",
    driver: "jsonl",
    command: "cline",
    args: ["--json"],
    passEnv: ["CLINE_API_KEY", ...modelKeys],
    // Its planning mode edits files; only this prevents it. There is no mode between none and all.
    modeArgs: {
      ask: ["--auto-approve", "false"],
      plan: ["--auto-approve", "false"],
      never: ["--auto-approve", "true"],
    },
    modelFlag: "-m",
    // With --json it does not read stdin.
    prompt: { flag: "--" },
    text: [
      {
        type: "agent_event",
        at: ["event", "text"],
        when: [
          { at: ["event", "type"], is: "content_start" },
          { at: ["event", "contentType"], is: "text" },
        ],
      },
    ],
    done: [{ type: "run_result", at: ["finishReason"], is: "completed" }],
    failed: [{ type: "run_result", at: ["finishReason"], is: "error" }],
    error: [{ ...clineError, when: [{ at: ["event", "errorClass"], is: "auth" }], status: 401 }, clineError],
    package: {
      name: "cline",
      version: "3.0.65",
      bin: native((platform, arch) => `@cline/cli-${platform}-${arch}/bin/cline`),
    },
    login: { files: ["~/.cline/data/settings/providers.json"], remedy: "run `cline auth`" },
    verified: "cline 3.0.65: turns, modes, failures; prompts up to 100 KB, no resuming",
  }),
  preset({
    agent: "continue",
    name: "Continue",
    driver: "jsonl",
    command: "cn",
    args: ["--format", "json"],
    passEnv: ["CONTINUE_API_KEY", ...modelKeys],
    // Without a terminal it allows everything, even in read-only mode; excluded tools it cannot use.
    modeArgs: {
      ask: each("--exclude", "Bash", ...edits),
      plan: each("--exclude", "Bash", ...edits),
      acceptEdits: [...each("--exclude", "Bash"), ...each("--allow", ...edits)],
      never: ["--auto"],
    },
    modelFlag: "--model",
    // Anything after it except an option would be taken for the prompt.
    lastArgs: ["--print"],
    text: [{ type: "*", at: ["response"] }],
    // It also says "success" when it has compacted its own memory and continues.
    done: [{ type: "*", at: ["response"], when: [{ at: ["status"], is: "success" }] }],
    // On stdout only a model would say so.
    failed: [],
    error: [{ type: "*", at: ["message"], when: [{ at: ["status"], is: "error" }] }],
    package: { name: "@continuedev/cli", version: "1.5.47", bin: "@continuedev/cli/dist/cn.js" },
    login: {
      env: ["CONTINUE_API_KEY"],
      files: ["~/.continue/auth.json", "~/.continue/config.yaml"],
      remedy: "run `cn login`, or write ~/.continue/config.yaml",
    },
    verified: "cn 1.5.47: turns and permissions; the answer arrives all at once at the end",
  }),
  preset({
    agent: "pi",
    name: "Pi",
    driver: "jsonl",
    command: "pi",
    args: ["--mode", "json"],
    passEnv: ["ANTHROPIC_OAUTH_TOKEN", "PI_CODING_AGENT_DIR", ...modelKeys],
    nonInteractive: ["--print"],
    modeArgs: {
      ask: readOnly,
      plan: readOnly,
      acceptEdits: ["--tools", "read,grep,find,ls,edit,write"],
      never: [],
    },
    modelFlag: "--model",
    systemFlag: "--append-system-prompt",
    resume: ["--session", "{sessionId}"],
    forgotten: "No session found matching",
    sessionId: ["session", "id"],
    text: [
      {
        type: "message_update",
        at: ["assistantMessageEvent", "delta"],
        when: [{ at: ["assistantMessageEvent", "type"], is: "text_delta" }],
      },
    ],
    // `agent_end` is also sent before each retry of a failed request.
    done: [{ type: "turn_end", at: ["message", "stopReason"], is: "stop" }],
    failed: [{ type: "auto_retry_end", at: ["success"], is: false }],
    // Errors that are not retried are reported only here.
    error: [{ type: "turn_end", at: ["message", "errorMessage"] }],
    package: {
      name: "@mariozechner/pi-coding-agent",
      version: "0.73.1",
      bin: "@mariozechner/pi-coding-agent/dist/cli.js",
    },
    login: { env: modelKeys, remedy: "run `pi` and type /login, or set the key of your model's vendor" },
    verified: "pi 0.73.1: turns, resume, system text, tools by mode, failures",
  }),
  preset({
    agent: "amp",
    name: "Amp",
    driver: "jsonl",
    command: "amp",
    args: ["--stream-json"],
    passEnv: ["AMP_API_KEY", "AMP_URL"],
    // Its permissions are configured only in its own settings.
    modeArgs: { ask: [] },
    resume: ["threads", "continue", "{sessionId}"],
    sessionId: ["system", "session_id"],
    // Anything after it would be taken for the prompt.
    lastArgs: ["--execute"],
    mapper: "claude-print",
    package: {
      name: "@sourcegraph/amp",
      version: "0.0.1790142911-g7618fb",
      bin: native((platform, arch) => `@ampcode/cli-${platform}-${arch}/amp`),
    },
    login: { env: ["AMP_API_KEY"], remedy: "run `amp login`, or set AMP_API_KEY" },
    account: { env: "AMP_API_KEY" },
    verified: "arguments only, with amp 0.0.1790142911; a turn needs Amp's servers",
  }),
  preset({
    agent: "aider",
    name: "Aider",
    driver: "text",
    command: "aider",
    args: ["--no-stream", "--no-pretty", "--no-check-update", "--no-show-release-notes"],
    passEnv: ["OPENAI_API_BASE", ...modelKeys],
    nonInteractive: ["--yes-always"],
    modeArgs: {
      ask: ["--chat-mode", "ask"],
      plan: ["--chat-mode", "ask"],
      acceptEdits: ["--no-suggest-shell-commands"],
      never: [],
    },
    modelFlag: "--model",
    prompt: "file",
    lastArgs: ["--message-file", "{promptFile}"],
    login: { env: modelKeys, remedy: "set the key of your model's vendor" },
    verified: "nothing yet: it is not on npm (install it with `pipx install aider-chat`)",
  }),
];
