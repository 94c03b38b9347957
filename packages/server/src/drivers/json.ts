import { checkDepth } from "@drover/core";

/** Agents are other people's programs: what they send is read field by field, and a wrong field counts as absent. */
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

/** The message on a line; nothing when there is none. Throws a Fault for one that is nested too deep. */
export function parseRecord(line: string): Json | undefined {
  // Most of what is no message can be told by its first character, for a hundredth of what a failed parse costs.
  if (!/^\s*\{/.test(line)) return undefined;
  const value = parse(line);
  checkDepth(value, "a message");
  return isRecord(value) ? value : undefined;
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
