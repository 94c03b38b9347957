import { driverNames, err, ok, type Preset, type Result } from "@drover/core";
import { z } from "zod";
import { type ConfigError, configError, type Source, unknownKey } from "./assignment.ts";

// Each error says what is expected, in words that follow "must be".
const text = z.string("a text").regex(/./s, "a text");
const texts = z.array(z.string("a text"), "a list of texts");
const path = z.array(z.union([z.string(), z.number()], "a text or a number"), "a path: a list of texts");
const rule = z.strictObject(
  {
    type: text,
    at: path.optional(),
    is: z
      .union([z.string(), z.number(), z.boolean(), z.null()], "a text, a number, true, false or null")
      .optional(),
  },
  "a rule {type, at, is}",
);
const rules = z.array(rule, "a list of rules {type, at, is}");

/** How drivers for plain command lines start their agent and read its output. */
const commandLineKeys = {
  stateful: z.boolean("true or false").optional(),
  prompt: z
    .union([z.enum(["stdin", "file"]), z.strictObject({ flag: text })], "stdin, file or {flag: NAME}")
    .optional(),
  resume: texts.optional(),
  nonInteractive: texts.optional(),
  systemFlag: text.optional(),
  modelFlag: text.optional(),
  sessionId: path.min(1, "a list: the event's type, then the path in it").optional(),
  text: rules.optional(),
  done: rules.optional(),
  failed: rules.optional(),
  limit: z.array(rule.extend({ until: path.optional() }), "a list of rules {type, at, is, until}").optional(),
  account: z.strictObject({ env: text }, "{env: VARIABLE}").optional(),
};

const agentSchema = z.strictObject(
  {
    name: text.optional(),
    driver: z.enum(driverNames, `one of ${driverNames.join(", ")}`).optional(),
    command: text.optional(),
    args: texts.optional(),
    env: z.record(z.string(), z.string("a text"), "a map of texts").optional(),
    passEnv: texts.optional(),
    system: z.string("a text").optional(),
    instructionFile: text.optional(),
    ...commandLineKeys,
  },
  "a map",
);

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
  const parsed = agentSchema.safeParse(given ?? {});
  if (!parsed.success) return err(parsed.error.issues.flatMap((issue) => explain(issue, at, sourceOf)));
  const { driver = shipped?.driver, command = shipped?.command, ...rest } = parsed.data;
  const missing = [driver ? [] : ["driver"], command ? [] : ["command"]].flat();
  if (!driver || !command) {
    const what = `${at} needs ${missing.join(" and ")}; only a shipped agent may leave ${missing.length > 1 ? "them" : "it"} out`;
    return err([configError(sourceOf([]), what, at)]);
  }
  const empty = { agent, name: agent, args: [], env: {}, passEnv: [] };
  return ok({ ...empty, ...shipped, ...withoutUndefined(rest), driver, command });
}

type Issue = z.core.$ZodIssue;

function explain(
  issue: Issue,
  at: string,
  sourceOf: (path: readonly PropertyKey[]) => Source,
): ConfigError[] {
  const path = [at, ...issue.path].join(".");
  if (issue.code === "unrecognized_keys") {
    const allowed = issue.path.length === 0 ? Object.keys(agentSchema.shape) : ruleKeys(issue.path[0]);
    return issue.keys.map((key) =>
      configError(sourceOf([...issue.path, key]), unknownKey(`${path}.${key}`, allowed), `${path}.${key}`),
    );
  }
  return [configError(sourceOf(issue.path), `${path} must be ${issue.message}`, path)];
}

function ruleKeys(key: PropertyKey | undefined): string[] {
  if (key === "account") return ["env"];
  return key === "limit" ? ["type", "at", "is", "until"] : ["type", "at", "is"];
}

/** zod leaves absent keys out already; this tells the compiler so. */
function withoutUndefined<T extends object>(value: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return value as { [K in keyof T]: Exclude<T[K], undefined> };
}
