import {
  type AgentConfig,
  agentConfigKeys,
  agentConfigSchema,
  err,
  ok,
  type Preset,
  type Result,
} from "@drover/core";
import { z } from "zod";
import { type ConfigError, configError, type Source, unknownKey } from "./assignment.ts";

const nameSchema = z.string().regex(/^[a-z][a-z0-9-]{0,62}$/);

interface Entry {
  readonly shipped: ReadonlyMap<string, Preset>;
  readonly sourceOf: (path: readonly PropertyKey[]) => Source;
}

/** One entry of `agents:` on top of the shipped preset of that name, if there is one. */
export function readAgent(
  agent: string,
  input: unknown,
  { shipped: all, sourceOf }: Entry,
): Result<Preset, ConfigError[]> {
  const at = `agents.${agent}`;
  const refuse = (key: string | undefined, what: string) => {
    const path = key === undefined ? at : `${at}.${key}`;
    const said = key === undefined ? `${at} ${what}` : `${path}: ${what}`;
    return err([configError(sourceOf(key === undefined ? [] : [key]), said, path)]);
  };
  if (!nameSchema.safeParse(agent).success) {
    const what = `${at}: an agent's name has up to 63 characters of a-z, 0-9 and -, and starts with a letter`;
    return err([configError(sourceOf([]), what, at)]);
  }
  const parsed = agentConfigSchema.safeParse(input ?? {});
  if (!parsed.success) return err(parsed.error.issues.flatMap((issue) => explain(issue, at, sourceOf)));
  const config: AgentConfig = parsed.data;
  const shipped = all.get(agent);
  const { driver = shipped?.driver, command = shipped?.command, env, like, ...fields } = config;
  const missing = [driver ? [] : ["driver"], command ? [] : ["command"]].flat();
  if (!driver || !command) {
    const them = missing.length > 1 ? "them" : "it";
    return refuse(undefined, `needs ${missing.join(" and ")}; only a shipped agent may omit ${them}`);
  }
  const contradiction = contradictionIn({ ...config, driver }, all);
  if (contradiction) return refuse(...contradiction);
  const model = like === undefined ? undefined : all.get(like);
  return ok({
    ...{ agent, name: agent, args: [], passEnv: [] },
    ...kept(shipped, config),
    ...(model ? output(model) : {}),
    ...withoutUndefined(fields),
    ...{ driver, command, env: { ...shipped?.env, ...env } },
  });
}

/** Rules that describe an agent's lines, and replace a mapper. */
const ruleKeys = [
  ...(["text", "thinking", "toolStarted", "toolFinished", "toolFailed", "usage"] as const),
  ...(["done", "failed"] as const),
];

const readsLines = ({ driver }: Preset): boolean => driver === "jsonl";

/** Keys that are valid alone but not together: which one, and what to do. */
function contradictionIn(
  config: AgentConfig,
  shipped: ReadonlyMap<string, Preset>,
): [key: string, what: string] | undefined {
  const { driver, like, stateful, done, toolStarted, toolFinished, toolFailed } = config;
  const rule = ruleKeys.find((key) => config[key] !== undefined);
  const ofLines = like === undefined ? rule : "like";
  if (driver === "text" && stateful) {
    return ["stateful", "plain text does not show where an answer ends; omit it, or use driver jsonl"];
  }
  if (driver !== "jsonl" && ofLines) {
    return [ofLines, `only driver jsonl reads lines by rules, not ${driver}; omit it, or use driver jsonl`];
  }
  if (stateful && done === "exit") {
    return ["done", "a stateful process does not exit after a turn; give rules for the line that ends it"];
  }
  const ending = toolFinished ? "toolFinished" : toolFailed && "toolFailed";
  if (ending && !toolStarted) return [ending, "no call would ever start; add toolStarted"];
  if (like === undefined) return undefined;
  const model = shipped.get(like);
  if (!model || !readsLines(model)) {
    const names = [...shipped.values()].filter(readsLines).map(({ agent }) => agent);
    return [
      "like",
      `there is no agent "${like}" that answers in lines of JSON; use one of ${names.join(", ")}`,
    ];
  }
  if (rule && model.mapper) {
    return [rule, `like: ${like} already describes its lines; omit one of the two`];
  }
  return undefined;
}

/** What Drover knows about an agent's output. */
function output(model: Preset): Partial<Preset> {
  const known = ["mapper", "sessionId", "forgotten", "error", "limit", ...ruleKeys] as const;
  return Object.fromEntries(known.flatMap((key) => (model[key] === undefined ? [] : [[key, model[key]]])));
}

/** The part of a shipped preset that remains beside a person's configuration. */
function kept(shipped: Preset | undefined, config: AgentConfig): Partial<Preset> {
  const { mapper, package: npm, ...fields } = shipped ?? {};
  const hasRules = ruleKeys.some((key) => config[key] !== undefined);
  return {
    ...fields,
    // A person's own rules take precedence.
    ...(mapper && !hasRules ? { mapper } : {}),
    // A person's own program is not looked for in the package.
    ...(npm && !(config.command && npm.bin) ? { package: npm } : {}),
  };
}

type Issue = z.core.$ZodIssue;

function explain(
  issue: Issue,
  at: string,
  sourceOf: (path: readonly PropertyKey[]) => Source,
): ConfigError[] {
  const path = [at, ...issue.path].join(".");
  const inner = issue.code === "invalid_union" ? nearest(issue) : undefined;
  if (inner) return inner.flatMap((one) => explain(one, at, sourceOf));
  if (issue.code === "unrecognized_keys") {
    const allowed = agentConfigKeys(issue.path);
    return issue.keys.map((key) =>
      configError(sourceOf([...issue.path, key]), unknownKey(`${path}.${key}`, allowed), `${path}.${key}`),
    );
  }
  return [configError(sourceOf(issue.path), `${path} must be ${issue.message}`, path)];
}

/** Of several forms, the one that was meant: all its mistakes are inside, none at the top. */
function nearest({ errors, path }: z.core.$ZodIssueInvalidUnion): Issue[] | undefined {
  const meant = errors.find((issues) => issues.every((one) => one.path.length > 0));
  return meant?.map((one) => ({ ...one, path: [...path, ...one.path] }));
}

/** zod already omits absent keys; this tells the compiler. */
function withoutUndefined<T extends object>(value: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return value as { [K in keyof T]: Exclude<T[K], undefined> };
}
