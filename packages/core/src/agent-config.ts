import { z } from "zod";
import { driverNames, type PermissionMode, permissionModes } from "./agent.ts";
import { toolKinds } from "./tool-kind.ts";

// Each error says what is expected, in words that follow "must be".
const text = z.string("a string").regex(/./s, "a string");
const texts = z.array(z.string("a string"), "a list of strings");
/** Agents are started by a shell, which passes on no other names. */
const variables = z
  .record(z.string(), z.string("a string"), "a map of strings")
  .refine(
    (map) => Object.keys(map).every((name) => /^[A-Za-z_][A-Za-z0-9_]*$/.test(name)),
    "a map of strings by names of letters, digits and _",
  );
const path = z.array(z.union([z.string(), z.number()], "a string or a number"), "a path: a list of strings");
const scalar = z.union(
  [z.string(), z.number(), z.boolean(), z.null()],
  "a string, a number, true, false or null",
);
const condition = z.strictObject({ at: path, is: scalar }, "a condition {at, is}");
const rule = z.strictObject(
  {
    type: text,
    at: path.optional(),
    is: scalar.optional(),
    when: z.array(condition, "a list of conditions {at, is}").optional(),
  },
  "a rule {type, at, is, when}",
);
const limit = rule.extend({ until: path.optional() });
const pathOrText = z.union([path, text], "a path or a string").optional();
const toolStart = rule.extend({
  id: path.optional(),
  name: pathOrText,
  title: pathOrText,
  kind: z.union([path, z.enum(toolKinds)], `a path or one of ${toolKinds.join(", ")}`).optional(),
  input: path.optional(),
});
const toolEnd = rule.extend({ id: path.optional(), output: path.optional() });
const usage = rule.extend({
  inputTokens: path.optional(),
  outputTokens: path.optional(),
  costUsd: path.optional(),
});
const error = rule.extend({ status: z.union([path, z.int()], "a path or a number").optional() });
const rulesOf = <T extends z.ZodObject>(one: T) =>
  z.array(one, `a list of rules {${Object.keys(one.shape).join(", ")}}`);
const rules = rulesOf(rule);
const extra = z
  .strictObject(
    {
      args: texts.optional(),
      env: variables.optional(),
      meta: z.record(z.string(), z.json(), "a map").optional(),
    },
    "a map {args, env, meta}",
  )
  .optional();
const trust = z.strictObject({ trusted: extra, untrusted: extra }, "a map {trusted, untrusted}");
const ownModes = z.strictObject({ plan: text.optional(), ask: text.optional() }, "a map {plan, ask}");
const account = z.strictObject({ env: text, group: text.optional() }, "{env: VARIABLE, group: NAME}");

const byMode = <T extends z.ZodType>(value: T) =>
  z.strictObject(
    Object.fromEntries(permissionModes.map((mode) => [mode, value.optional()])) as Record<
      PermissionMode,
      z.ZodOptional<T>
    >,
    `a map by mode: ${permissionModes.join(", ")}`,
  );

/** What people may configure for an agent under `agents.NAME`: the keys of a preset that they may set. */
export const agentConfigSchema = z.strictObject(
  {
    name: text.optional(),
    driver: z.enum(driverNames, `one of ${driverNames.join(", ")}`).optional(),
    command: text.optional(),
    args: texts.optional(),
    env: variables.optional(),
    passEnv: texts.optional(),
    system: z.string("a string").optional(),
    instructionFile: text.optional(),
    systemVia: z.enum(["meta", "prompt"], "meta or prompt").optional(),
    ownModes: ownModes.optional(),
    stateful: z.boolean("true or false").optional(),
    prompt: z
      .union([z.enum(["stdin", "file"]), z.strictObject({ flag: text })], "stdin, file or {flag: NAME}")
      .optional(),
    resume: texts.optional(),
    forgotten: z.union([text, z.array(text)], "a string or a list of strings").optional(),
    nonInteractive: texts.optional(),
    systemFlag: text.optional(),
    modelFlag: text.optional(),
    modeArgs: byMode(texts).optional(),
    sandboxArgs: texts.optional(),
    modeEnv: byMode(variables).optional(),
    lastArgs: texts.optional(),
    sessionId: path.min(1, "a list: the event's type, then the path in it").optional(),
    like: text.optional(),
    text: rules.optional(),
    thinking: rules.optional(),
    toolStarted: rulesOf(toolStart).optional(),
    toolFinished: rulesOf(toolEnd).optional(),
    toolFailed: rulesOf(toolEnd).optional(),
    usage: rulesOf(usage).optional(),
    done: z.union([rules, z.literal("exit")], "exit, or a list of rules {type, at, is, when}").optional(),
    failed: rules.optional(),
    error: rulesOf(error).optional(),
    limit: rulesOf(limit).optional(),
    account: account.optional(),
    trust: trust.optional(),
  },
  "a map",
);
export type AgentConfig = z.infer<typeof agentConfigSchema>;

/** The keys that are allowed at a path inside an agent's configuration, for the message about an unknown one. */
export function agentConfigKeys(path: readonly PropertyKey[]): readonly string[] {
  const [key, , nested] = path;
  if (key === undefined) return Object.keys(agentConfigSchema.shape);
  if (key === "ownModes") return Object.keys(ownModes.shape);
  if (key === "account") return Object.keys(account.shape);
  if (key === "trust") return Object.keys((path.length > 1 ? extra.unwrap() : trust).shape);
  if (key === "prompt") return ["flag"];
  if (key === "modeArgs" || key === "modeEnv") return permissionModes;
  if (nested === "when") return Object.keys(condition.shape);
  return Object.keys((ruleKinds[String(key)] ?? rule).shape);
}

const ruleKinds: Readonly<Record<string, z.ZodObject>> = {
  ...{ limit, error, usage },
  ...{ toolStarted: toolStart, toolFinished: toolEnd, toolFailed: toolEnd },
};
