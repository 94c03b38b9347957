import { z } from "zod";
import { bounds, recordOf } from "./bounds.ts";
import { utf8Length } from "./text.ts";
import type { ToolKind } from "./tool-kind.ts";

export const driverNames = ["acp", "claude", "jsonl", "text"] as const;
export type DriverName = (typeof driverNames)[number];

export const permissionModes = ["ask", "plan", "acceptEdits", "never"] as const;
export type PermissionMode = (typeof permissionModes)[number];

/** What an agent can do through its driver. Code asks these, never an agent's name. */
export const capabilitiesSchema = z.object({
  approvals: z.enum(["live", "gate", "none"]),
  amend: z.boolean(),
  denyReason: z.boolean(),
  steer: z.boolean(),
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
  /** In this mode it may act without asking anybody, whatever the session's permission mode says. */
  mayActUnasked: z.boolean(),
});
export type AgentMode = z.infer<typeof agentModeSchema>;

/**
 * What an agent may be unable to be given: a model of people's choice, MCP servers, a conversation that was had outside
 * Drover, distrust (it heeds the settings that a repository brings, whether people trust the project or not).
 */
export const lacks = ["model", "mcpServers", "conversations", "distrust"] as const;
export type Lack = (typeof lacks)[number];

/** Something for each permission mode that is named. */
export type ByMode<T> = { readonly [Mode in PermissionMode]?: T | undefined };

/** Where something stands in a line of JSON: names of members, numbers of elements. */
export type JsonPath = readonly (string | number)[];

/** Lines whose `type` is this (`*`: any line); with `at`, what stands there; with `is`, only where it equals this. */
export interface LineRule {
  readonly type: string;
  readonly at?: JsonPath | undefined;
  readonly is?: Scalar | undefined;
  /** What must hold besides, elsewhere in the line. */
  readonly when?: readonly { readonly at: JsonPath; readonly is: Scalar }[] | undefined;
}

export type Scalar = string | number | boolean | null;

/** A usage limit, and where the line tells when it ends. */
export interface LimitRule extends LineRule {
  readonly until?: JsonPath | undefined;
}

/** What went wrong, in the program's own words: `at` is where they stand. */
export interface ErrorRule extends LineRule {
  /** Where the line tells the HTTP status of its model's server, or the one that such a line stands for. */
  readonly status?: JsonPath | number | undefined;
}

/** A tool call begins: where the line has its parts, or what they are. Without `id`, one call runs at a time. */
export interface ToolStartRule extends LineRule {
  readonly id?: JsonPath | undefined;
  readonly name?: JsonPath | string | undefined;
  readonly title?: JsonPath | string | undefined;
  readonly kind?: JsonPath | ToolKind | undefined;
  readonly input?: JsonPath | undefined;
}

/** A tool call ends: the one that `id` names, else the one that began last. */
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
 * How a program without a protocol of its own is started and understood: for the drivers `jsonl` and `text`. Its
 * arguments stand in this order: `args`, `nonInteractive`, `modeArgs`, model, system text, `resume`, the prompt's own,
 * `lastArgs`.
 */
export interface CommandLine {
  /** One process for the whole session instead of one per turn. */
  readonly stateful?: boolean;
  /**
   * How it gets its prompt (default: stdin). `stdin` and `file` are a file, so that it ends; its path is
   * `{promptFile}` in `lastArgs`, else the last argument. A flag's argument takes short prompts only.
   */
  readonly prompt?: "stdin" | "file" | { readonly flag: string };
  /** Arguments that go on with a conversation; `{sessionId}` stands for its id. */
  readonly resume?: readonly string[];
  /** Words on its standard error, any of which says that it does not know the conversation it is to go on with. */
  readonly forgotten?: string | readonly string[];
  /** Arguments without which it would open a screen or wait for a person. */
  readonly nonInteractive?: readonly string[];
  /** Takes the system text as its argument. */
  readonly systemFlag?: string;
  /** Takes the model's name as its argument. */
  readonly modelFlag?: string;
  /**
   * What a permission mode comes to for a program that asks nobody; a mode not named here is not offered. Without it
   * the program does in every mode what it does.
   */
  readonly modeArgs?: ByMode<readonly string[]>;
  /** The same as variables, for a program that takes its mode in none of its arguments. */
  readonly modeEnv?: ByMode<Readonly<Record<string, string>>>;
  /** Arguments that stand after all others, such as the `-` that means stdin. */
  readonly lastArgs?: readonly string[];
  /** Who understands its lines; without it the rules below do. */
  readonly mapper?: string;
  /** The type of the line that tells the conversation's id (`*`: any line), then the path in it. */
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
  /** Lines, on standard error too, that say why it fails; some come before it tries again, or instead of `failed`. */
  readonly error?: readonly ErrorRule[];
  readonly limit?: readonly LimitRule[];
}

/** A package of npm's that brings an agent's program. */
export interface AgentPackage {
  readonly name: string;
  /** The version the agent was verified with. */
  readonly version: string;
  /**
   * The program below `node_modules`, by `PLATFORM-ARCH` where it differs. Without it the package is a library, and
   * the driver finds the program itself. Never a wrapper that would leave its program behind when it is ended.
   */
  readonly bin?: string | Readonly<Record<string, string>>;
}

/** How to see, without reading a secret, whether an agent is logged in: a variable that is set, a file that is there. */
export interface LoginSigns {
  readonly env?: readonly string[];
  /** `~/` is the agent's HOME; a path that begins with `$NAME/` counts only where that variable is set. */
  readonly files?: readonly string[];
  /** Where none of these shows, it is not logged in; else nobody knows. */
  readonly certain?: true;
  /** What a person does to log in, for "To log in, …". The first command between backticks is the agent's own. */
  readonly remedy: string;
  /** Where that command lies below `node_modules`, by `PLATFORM-ARCH`, where npm links none of its name. */
  readonly program?: Readonly<Record<string, string>>;
}

/** What an agent is started with besides. */
export interface StartExtra {
  /** Stand after `args`. */
  readonly args?: readonly string[] | undefined;
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** Over ACP: stands in `_meta` of what opens a conversation. */
  readonly meta?: Readonly<Record<string, unknown>> | undefined;
}

/**
 * What makes an agent heed the settings that a repository brings (hooks, servers of tools, instructions) where people
 * trust the project, and keeps it from them where they do not. Empty: it keeps a list of its own.
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
  /** Over ACP: the ids of its own modes that plan only and that ask, where they cannot be guessed. */
  readonly ownModes?: { readonly plan?: string | undefined; readonly ask?: string | undefined };
  /** Absent: it heeds what a repository brings, trusted or not, and says so (`lacks`). */
  readonly trust?: TrustSwitch;
  /** What `drover agents add` installs. */
  readonly package?: AgentPackage;
  /** `none`: it needs no login. Absent: nobody knows. */
  readonly login?: LoginSigns | "none";
  /** The variable a login of its vendor is given in. */
  readonly account?: { readonly env: string };
  /** What was tried with which version, in words. */
  readonly verified?: string;
}

/** What the agent is started with besides, in a project that people trust or do not. */
export const trustExtra = ({ trust }: Preset, trusted: boolean): StartExtra =>
  (trusted ? trust?.trusted : trust?.untrusted) ?? {};

/** The preset with what it is started with besides; `meta` is for its driver to send. */
export function withTrust(preset: Preset, trusted: boolean): Preset {
  const { args = [], env } = trustExtra(preset, trusted);
  return { ...preset, args: [...preset.args, ...args], env: { ...preset.env, ...env } };
}

const variables = recordOf(z.string().max(bounds.name), z.string().max(bounds.value), 100);

export const mcpServerSchema = z.union([
  z.strictObject({
    command: z.string().min(1).max(bounds.path),
    args: z.array(z.string().max(bounds.value)).max(200).optional(),
    env: variables.optional(),
  }),
  z.strictObject({ url: z.url().max(8_192), headers: variables.optional() }),
]);
export type McpServer = z.infer<typeof mcpServerSchema>;

/** They go to the agent in one message, at every start. */
const maxMcpBytes = 262_144;

export const mcpServersSchema = recordOf(z.string().min(1).max(bounds.name), mcpServerSchema, 50).refine(
  (servers) => utf8Length(JSON.stringify(servers)) <= maxMcpBytes,
  `all servers together may have ${maxMcpBytes} bytes at most`,
);
