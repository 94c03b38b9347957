import { permissionModes, rotations } from "@drover/core";
import { z } from "zod";
import { parseDuration, parseSize, parseTimeout } from "./units.ts";

/**
 * One value people can set. A file provides it typed, the environment and the command line as text. The schema's error
 * says what is expected, in words that follow "must be".
 */
export interface Setting<T> {
  readonly schema: z.ZodType<T>;
  readonly fallback: T;
  readonly fromText: (text: string) => unknown;
  /** The unit of a number. */
  readonly unit?: "ms" | "bytes";
  /** 0 turns it off, and is shown as `none`. */
  readonly optional?: true;
  /** A server uses changes only after a restart. */
  readonly restart?: true;
}

const atStart = <T>(setting: Setting<T>): Setting<T> => ({ ...setting, restart: true });

function whole(fallback: number, { min, max }: { min: number; max?: number }): Setting<number> {
  const error = max === undefined ? `a whole number from ${min} on` : `a whole number from ${min} to ${max}`;
  const schema = z
    .int(error)
    .min(min, error)
    .max(max ?? Number.MAX_SAFE_INTEGER, error);
  return { schema, fallback, fromText: (text) => (/^\d+$/.test(text) ? Number(text) : text) };
}

function flag(fallback: boolean): Setting<boolean> {
  const words: Record<string, boolean> = { true: true, "1": true, false: false, "0": false };
  return { schema: z.boolean("true or false"), fallback, fromText: (text) => words[text] ?? text };
}

function choice<const T extends string>(fallback: NoInfer<T>, allowed: readonly T[]): Setting<T> {
  return { schema: z.enum(allowed, `one of ${allowed.join(", ")}`), fallback, fromText: (text) => text };
}

function text(fallback: string): Setting<string> {
  const error = "a string";
  return { schema: z.string(error).min(1, error), fallback, fromText: (text) => text };
}

function list(fallback: readonly string[], separator: string): Setting<readonly string[]> {
  const error = "a list of strings";
  const schema = z.array(z.string(error).min(1, error), error);
  return { schema, fallback, fromText: (text) => text.split(separator).filter(Boolean) };
}

interface Measure {
  readonly unit: "ms" | "bytes";
  readonly parse: (text: string) => number | undefined;
  readonly error: string;
}

function measured(fallback: string, { unit, parse, error }: Measure): Setting<number> {
  const schema = z
    .string(error)
    .refine((text) => parse(text) !== undefined, error)
    .transform((text) => parse(text) as number);
  return { schema, fallback: parse(fallback) as number, fromText: (text) => text, unit };
}

/** How long something takes or may take. */
const duration = (fallback: string) =>
  measured(fallback, {
    unit: "ms",
    parse: parseTimeout,
    error: "a duration such as 250ms, 5s, 10m or 1h, at most 24d",
  });
/** Like `duration`, for a setting that may have none: `none` and `0` give 0. */
function optionalDuration(): Setting<number> {
  const { schema, ...rest } = duration("0s");
  const error = "none, or a duration such as 250ms, 5s, 10m or 1h, at most 24d";
  const none = z.enum(["none", "0"]).or(z.literal(0));
  return { ...rest, schema: z.union([none.transform(() => 0), schema], error), optional: true };
}
/** How old something is: no timer waits for it. */
const age = (fallback: string) =>
  measured(fallback, { unit: "ms", parse: parseDuration, error: "a duration such as 1h or 30d" });
const size = (fallback: string) =>
  measured(fallback, { unit: "bytes", parse: parseSize, error: "a size such as 64KiB, 4MiB or 1GiB" });

/** At least one block of ten ports. */
function portRange(fallback: string): Setting<string> {
  const error = "a range of at least ten ports from 1024 to 65535, such as 21000-30999";
  const isRange = (text: string) => {
    const [first = 0, last = 0] = /^(\d{4,5})-(\d{4,5})$/.exec(text)?.slice(1).map(Number) ?? [];
    return first >= 1024 && last <= 65_535 && last - first >= 9;
  };
  return { schema: z.string(error).refine(isRange, error), fallback, fromText: (text) => text };
}

/** Every section and key, with its default; `agents` is read separately (agents.ts). */
export const sections = {
  server: {
    port: atStart(whole(4242, { min: 0, max: 65_535 })),
    bind: atStart(text("127.0.0.1")),
    allowRemote: flag(false),
    hosts: atStart(list([], ",")),
    roots: list(["~"], ":"),
    stopAgents: flag(false),
  },
  sessions: {
    workspace: choice("local", ["local", "worktree", "container"]),
    permissionMode: choice("ask", permissionModes),
    idleAfter: duration("30m"),
    stallAfter: duration("10m"),
    queueMax: whole(50, { min: 1, max: 10_000 }),
  },
  interactions: { timeout: optionalDuration() },
  streams: { heartbeat: atStart(duration("15s")), clientBuffer: atStart(size("4MiB")) },
  git: { timeout: duration("5s") },
  worktrees: {
    ports: portRange("21000-30999"),
    timeout: duration("2m"),
    setupTimeout: duration("10m"),
    checkTimeout: duration("10m"),
  },
  checkpoints: { timeout: duration("5s"), maxFile: size("10MiB") },
  supervision: {
    startTimeout: duration("30s"),
    attempts: whole(5, { min: 0 }),
    backoff: duration("1s"),
    maxBackoff: duration("30s"),
    stableAfter: duration("60s"),
    stopGrace: duration("5s"),
    startsAtOnce: atStart(whole(4, { min: 1 })),
  },
  workers: {
    atOnce: whole(4, { min: 1, max: 1_000 }),
    permissionMode: choice("acceptEdits", permissionModes),
    turnTimeout: optionalDuration(),
    signalTries: whole(3, { min: 0 }),
    signalBackoff: duration("1s"),
    doneGrace: duration("60s"),
  },
  accounts: {
    rotation: choice("least-recently-used", rotations),
    assumeUntil: duration("1h"),
    rateLimitUpTo: duration("5m"),
  },
  log: {
    level: atStart(choice("info", ["debug", "info", "warn", "error"])),
    maxSize: atStart(size("20MiB")),
    keep: atStart(whole(5, { min: 0, max: 1_000 })),
  },
  storage: { keepDeleted: age("30d"), minFree: atStart(size("512MiB")) },
} as const satisfies Record<string, Record<string, Setting<unknown>>>;

/** Keys outside of sections. */
export const singles = { policy: text("./policy.yaml") } as const satisfies Record<string, Setting<unknown>>;

type Values<S> = { readonly [K in keyof S]: S[K] extends Setting<infer T> ? T : never };

/** The configured values: durations in milliseconds, sizes in bytes, paths absolute. */
export type Settings = { readonly [S in keyof typeof sections]: Values<(typeof sections)[S]> } & Values<
  typeof singles
>;

/** `server.port`, `policy`, … */
export const settingsByPath: ReadonlyMap<string, Setting<unknown>> = new Map<string, Setting<unknown>>([
  ...Object.entries(sections).flatMap(([section, keys]) =>
    Object.entries<Setting<unknown>>(keys).map(([key, setting]) => [`${section}.${key}`, setting] as const),
  ),
  ...Object.entries<Setting<unknown>>(singles),
]);
