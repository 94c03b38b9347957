/** What the agent writes is read field by field: a wrong or missing field counts as absent, whatever its version. */
export type Json = Readonly<Record<string, unknown>>;

export function isRecord(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export const record = (value: unknown): Json => (isRecord(value) ? value : {});
export const text = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);
export const number = (value: unknown): number | undefined =>
  typeof value === "number" && Number.isFinite(value) ? value : undefined;
export const records = (value: unknown): readonly Json[] =>
  Array.isArray(value) ? value.filter(isRecord) : [];
export const texts = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];
