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

/** One entry of `agents:` on top of the shipped preset of that name, if there is one. */
export function readAgent(
  agent: string,
  given: unknown,
  { shipped, sourceOf }: { shipped: Preset | undefined; sourceOf: (path: readonly PropertyKey[]) => Source },
): Result<Preset, ConfigError[]> {
  const at = `agents.${agent}`;
  if (!nameSchema.safeParse(agent).success) {
    const what = `${at}: an agent's name is up to 63 of a-z, 0-9 and -, and begins with a letter`;
    return err([configError(sourceOf([]), what, at)]);
  }
  const parsed = agentConfigSchema.safeParse(given ?? {});
  if (!parsed.success) return err(parsed.error.issues.flatMap((issue) => explain(issue, at, sourceOf)));
  const config: AgentConfig = parsed.data;
  const { driver = shipped?.driver, command = shipped?.command, env, ...rest } = config;
  const missing = [driver ? [] : ["driver"], command ? [] : ["command"]].flat();
  if (!driver || !command) {
    const what = `${at} needs ${missing.join(" and ")}; only a shipped agent may leave ${missing.length > 1 ? "them" : "it"} out`;
    return err([configError(sourceOf([]), what, at)]);
  }
  if (driver === "text" && config.stateful) {
    const what = `${at}.stateful: nothing in plain text tells where an answer ends; leave it out, or use driver jsonl`;
    return err([configError(sourceOf(["stateful"]), what, `${at}.stateful`)]);
  }
  return ok({
    ...{ agent, name: agent, args: [], passEnv: [] },
    ...kept(shipped, config),
    ...withoutUndefined(rest),
    ...{ driver, command, env: { ...shipped?.env, ...env } },
  });
}

/** What stays of a shipped preset beside what a person says of it. */
function kept(shipped: Preset | undefined, given: AgentConfig): Partial<Preset> {
  const { mapper, package: npm, ...rest } = shipped ?? {};
  return {
    ...rest,
    // Rules of one's own are there to be followed.
    ...(mapper && !given.text && !given.done && !given.failed ? { mapper } : {}),
    // A program of one's own is not looked for in the package.
    ...(npm && !(given.command && npm.bin) ? { package: npm } : {}),
  };
}

type Issue = z.core.$ZodIssue;

function explain(
  issue: Issue,
  at: string,
  sourceOf: (path: readonly PropertyKey[]) => Source,
): ConfigError[] {
  const path = [at, ...issue.path].join(".");
  if (issue.code === "unrecognized_keys") {
    const allowed = agentConfigKeys(issue.path);
    return issue.keys.map((key) =>
      configError(sourceOf([...issue.path, key]), unknownKey(`${path}.${key}`, allowed), `${path}.${key}`),
    );
  }
  return [configError(sourceOf(issue.path), `${path} must be ${issue.message}`, path)];
}

/** zod leaves absent keys out already; this tells the compiler so. */
function withoutUndefined<T extends object>(value: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return value as { [K in keyof T]: Exclude<T[K], undefined> };
}
