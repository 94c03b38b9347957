import { checkDepth } from "@drover/core";

/**
 * Agents are third-party programs: their messages are read field by field, and a field of the wrong type counts as
 * absent.
 */
export type Json = Readonly<Record<string, unknown>>;

export function isRecord(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export const record = (value: unknown): Json => (isRecord(value) ? value : {});
export const text = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);
export const number = (value: unknown): number | undefined =>
  typeof value === "number" && Number.isFinite(value) ? value : undefined;
export const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
export const records = (value: unknown): readonly Json[] => list(value).filter(isRecord);
export const texts = (value: unknown): readonly string[] =>
  list(value).filter((one) => typeof one === "string");

/** The message on a line, if there is one. Throws a Fault for a message that is nested too deep. */
export function parseRecord(line: string): Json | undefined {
  // The first character rules out most lines that are not messages, at a hundredth of the cost of a failed parse.
  if (!/^\s*\{/.test(line)) return undefined;
  const value = parse(line);
  checkDepth(value, "a message");
  return isRecord(value) ? value : undefined;
}

/** Parses JSON whose numbers a person has to see exactly: those that JavaScript can't hold become their own text. */
export const parseExactly = (json: string): unknown =>
  JSON.parse(json, (_key, value: unknown, { source }: { source?: string } = {}) =>
    typeof value === "number" && source !== undefined && isRounded(value) ? source : value,
  );

const isRounded = (value: number): boolean =>
  !Number.isFinite(value) || (Number.isInteger(value) && !Number.isSafeInteger(value));

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
