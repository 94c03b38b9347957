import { type Json, record, text } from "../json.ts";

/** Text that agents put into `_meta` under a name of their own: `_meta.ANY.field`. */
export function metaHint(message: Json, fields: readonly string[]): string | undefined {
  for (const group of Object.values(record(message["_meta"]))) {
    for (const field of fields) {
      const hint = text(record(group)[field]);
      if (hint) return hint;
    }
  }
  return undefined;
}
