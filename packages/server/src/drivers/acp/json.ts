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

/** A text that agents put into `_meta`, under a name of their own: `_meta.ANY.field`. */
export function metaHint(message: Json, fields: readonly string[]): string | undefined {
  for (const group of Object.values(record(message["_meta"]))) {
    for (const field of fields) {
      const hint = text(record(group)[field]);
      if (hint) return hint;
    }
  }
  return undefined;
}
