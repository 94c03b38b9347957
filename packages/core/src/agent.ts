import { z } from "zod";
import type { AccountCarrier } from "./account/carrier.ts";
import type { JsonPath } from "./json-path.ts";
import type { ToolKind } from "./tool-kind.ts";

export const driverNames = ["acp", "claude", "jsonl", "text"] as const;
export type DriverName = (typeof driverNames)[number];

export const permissionModes = ["ask", "plan", "acceptEdits", "never"] as const;
export type PermissionMode = (typeof permissionModes)[number];

/** What an agent can do through its driver. Code checks these, never an agent's name. */
export const capabilitiesSchema = z.object({
  /**
   * `live`: it asks before it acts. `gate`: it can't ask, but in a worktree and mode `ask`, people approve what each turn
   * has changed. `none`: its mode decides.
   */
  approvals: z.enum(["live", "gate", "none"]),
  amend: z.boolean(),
  denyReason: z.boolean(),
  steer: z.boolean(),
  /** It takes images with a message. */
  images: z.boolean(),
  resume: z.boolean(),
  fork: z.boolean(),
  freshContext: z.boolean(),
  /** How system text reaches the agent: as its own system prompt, or at the head of a prompt. */
  systemText: z.enum(["system", "prompt"]),
  reattach: z.boolean(),
  /** A session's permission mode reaches it. Otherwise it may act without asking in every mode. */
  heldByMode: z.boolean(),
  completion: z.enum(["event", "exit"]),
});
export type Capabilities = z.infer<typeof capabilitiesSchema>;

/** The mode an agent itself says it is in. */
export const agentModeSchema = z.object({
  id: z.string(),
  name: z.string(),
  /** In this mode it may act without asking, whatever the session's permission mode says. */
  mayActUnasked: z.boolean(),
});
export type AgentMode = z.infer<typeof agentModeSchema>;

/**
 * What an agent may not support: choosing a model, MCP servers, conversations started outside Drover, distrust (it uses
 * a repository's settings whether or not people trust the project), accounts (Drover cannot give it a login).
 */
export const lacks = ["model", "mcpServers", "conversations", "distrust", "accounts"] as const;
export type Lack = (typeof lacks)[number];

/** A value for each named permission mode. */
export type ByMode<T> = { readonly [Mode in PermissionMode]?: T | undefined };

/** Lines with this `type` (`*`: any line); with `at`, the value there; with `is`, only if it equals this. */
export interface LineRule {
  readonly type: string;
  readonly at?: JsonPath | undefined;
  readonly is?: Scalar | undefined;
  /** Further conditions elsewhere in the line. */
  readonly when?: readonly { readonly at: JsonPath; readonly is: Scalar }[] | undefined;
}

export type Scalar = string | number | boolean | null;

/** A usage limit, and where the line says when it ends. */
export interface LimitRule extends LineRule {
  readonly until?: JsonPath | undefined;
}

/** An error message of the program: `at` is its position. */
export interface ErrorRule extends LineRule {
  /** Where the line has the HTTP status of the model's server, or the status that such a line stands for. */
  readonly status?: JsonPath | number | undefined;
}

/** A tool call starts: where the line has its parts, or their values. Without `id`, one call runs at a time. */
export interface ToolStartRule extends LineRule {
  readonly id?: JsonPath | undefined;
  readonly name?: JsonPath | string | undefined;
  readonly title?: JsonPath | string | undefined;
  readonly kind?: JsonPath | ToolKind | undefined;
  readonly input?: JsonPath | undefined;
}

/** A tool call ends: the one that `id` names, else the one that started last. */
export interface ToolEndRule extends LineRule {
  readonly id?: JsonPath | undefined;
  readonly output?: JsonPath | undefined;
}

/** What the turn has used; the numbers of several lines are added up. */
export interface UsageRule extends LineRule {
  readonly inputTokens?: JsonPath | undefined;
  readonly outputTokens?: JsonPath | undefined;
  readonly costUsd?: JsonPath | undefined;
}

/**
 * How a program without a protocol is started and understood: for the drivers `jsonl` and `text`. Its arguments are in
 * this order: `args`, `nonInteractive`, `modeArgs` or `sandboxArgs`, model, system text, `resume`, the prompt's own, `lastArgs`.
 */
export interface CommandLine {
  /** One process for the whole session instead of one per turn. */
  readonly stateful?: boolean;
  /**
   * How it gets its prompt (default: stdin). `stdin` and `file` are a file, so that the input ends; its path is
   * `{promptFile}` in `lastArgs`, else the last argument. A flag's argument takes only short prompts.
   */
  readonly prompt?: "stdin" | "file" | { readonly flag: string };
  /** Arguments that resume a conversation; `{sessionId}` stands for its id. */
  readonly resume?: readonly string[];
  /** Texts on stderr, any of which means that it does not know the conversation to resume. */
  readonly forgotten?: string | readonly string[];
  /** Arguments without which it would open a terminal UI or wait for a person. */
  readonly nonInteractive?: readonly string[];
  /** The flag that takes the system text. */
  readonly systemFlag?: string;
  /** The flag that takes the model's name. */
  readonly modelFlag?: string;
  /**
   * What a permission mode means for a program that never asks; a mode not named here is not offered. Without it the
   * program behaves the same in every mode.
   */
  readonly modeArgs?: ByMode<readonly string[]>;
  /**
   * Used instead of `modeArgs` in mode `ask` in a worktree: with these, its own sandbox lets it change files in its
   * directory, and none of the user's elsewhere. What a turn has changed is then approved at its end.
   */
  readonly sandboxArgs?: readonly string[];
  /** The same as variables, for a program that takes its mode from its environment. */
  readonly modeEnv?: ByMode<Readonly<Record<string, string>>>;
  /** Arguments after all others, such as the `-` that means stdin. */
  readonly lastArgs?: readonly string[];
  /** What interprets its lines; without it the rules below do. */
  readonly mapper?: string;
  /** The type of the line that contains the conversation's id (`*`: any line), then the path in it. */
  readonly sessionId?: JsonPath;
  readonly text?: readonly LineRule[];
  readonly thinking?: readonly LineRule[];
  readonly toolStarted?: readonly ToolStartRule[];
  readonly toolFinished?: readonly ToolEndRule[];
  readonly toolFailed?: readonly ToolEndRule[];
  readonly usage?: readonly UsageRule[];
  /** `exit`: no line says so; the turn ends with the process, and exit code 0 is success. */
  readonly done?: readonly LineRule[] | "exit";
  readonly failed?: readonly LineRule[];
  /** Lines, also on stderr, that say why it fails; some come before a retry, or instead of `failed`. */
  readonly error?: readonly ErrorRule[];
  readonly limit?: readonly LimitRule[];
}

/** An npm package that contains an agent's program. */
export interface AgentPackage {
  readonly name: string;
  /** The version the agent was verified with. */
  readonly version: string;
  /**
   * The program below `node_modules`, by `PLATFORM-ARCH` if it differs. Without it the package is a library, and the
   * driver finds the program itself. Never a wrapper that would leave its program running when it is ended.
   */
  readonly bin?: string | Readonly<Record<string, string>>;
}

/** How to tell, without reading a secret, whether an agent is logged in: a variable that is set, a file that exists. */
export interface LoginSigns {
  readonly env?: readonly string[];
  /** `~/` is the agent's HOME; a path that starts with `$NAME/` counts only if that variable is set. */
  readonly files?: readonly string[];
  /** If none of these is found, it is certainly not logged in; otherwise it is unknown. */
  readonly certain?: true;
  /** How a person logs in, after "To log in, …". The first command between backticks is the agent's own. */
  readonly remedy: string;
  /** Where that command lies below `node_modules`, by `PLATFORM-ARCH`, if npm links none of its name. */
  readonly program?: Readonly<Record<string, string>>;
}

/** What an agent is started with in addition. */
export interface StartExtra {
  /** Added after `args`. */
  readonly args?: readonly string[] | undefined;
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** Over ACP: added to `_meta` of the request that opens a conversation. */
  readonly meta?: Readonly<Record<string, unknown>> | undefined;
}

/**
 * What makes an agent use a repository's settings (hooks, tool servers, instructions) if people trust the project, and
 * ignore them otherwise. Empty: it keeps its own list.
 */
export interface TrustSwitch {
  readonly trusted?: StartExtra | undefined;
  readonly untrusted?: StartExtra | undefined;
}

/** An agent described by data. `drover.yaml` adds and overrides these under `agents.NAME`. */
export interface Preset extends CommandLine {
  readonly agent: string;
  readonly name: string;
  readonly driver: DriverName;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly passEnv: readonly string[];
  readonly system?: string;
  readonly instructionFile?: string;
  /** Over ACP: `meta` for an agent that takes `_meta.systemPrompt.append`; others get it with their first prompt. */
  readonly systemVia?: "meta" | "prompt";
  /** Over ACP: the ids of its own modes that only plan and that ask, if they cannot be guessed. */
  readonly ownModes?: { readonly plan?: string | undefined; readonly ask?: string | undefined };
  /** Absent: it uses a repository's settings, trusted or not, and says so (`lacks`). */
  readonly trust?: TrustSwitch;
  /** What `drover agents add` installs. */
  readonly package?: AgentPackage;
  /** `none`: it needs no login. Absent: unknown. */
  readonly login?: LoginSigns | "none";
  /** How it gets a login of its vendor from Drover. Absent: it can't (`lacks`). */
  readonly account?: AccountCarrier;
  /** What was tested with which version, in words. */
  readonly verified?: string;
}

/** What the agent is started with in addition, in a trusted or an untrusted project. */
export const trustExtra = ({ trust }: Preset, trusted: boolean): StartExtra =>
  (trusted ? trust?.trusted : trust?.untrusted) ?? {};

/** The preset with these additions; its driver sends `meta`. */
export function withTrust(preset: Preset, trusted: boolean): Preset {
  const { args = [], env } = trustExtra(preset, trusted);
  return { ...preset, args: [...preset.args, ...args], env: { ...preset.env, ...env } };
}

/** The agents with this group share their accounts. */
export const accountGroupOf = ({ agent, account }: Pick<Preset, "agent" | "account">): string =>
  account?.group ?? agent;
