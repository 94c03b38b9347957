// Reads a request back from the rows that Drover prints.
import { unspelled } from "./hostile-words.ts";

/** A field as it is shown on the terminal. */
export interface Shown {
  readonly label: string;
  readonly mark: string;
  readonly value: string;
}

/** Parses rows into fields by the marks at their start. */
export function readRows(rows: readonly string[]): Shown[] {
  const fields: { label: string; mark: string; value: string }[] = [];
  let longLabel = "";
  for (const row of rows) {
    const [, label = "", mark = "", value = ""] = /^ {2}(\S*) +([│=┆]) (.*)$/s.exec(row) ?? [];
    const last = fields.at(-1);
    if (mark === "") longLabel = row.trim();
    else if (label !== "" || longLabel !== "") {
      fields.push({ label: label || longLabel, mark, value });
      longLabel = "";
    } else if (last) last.value += mark === "┆" ? value : `\n${value}`;
  }
  return fields.map((field) => ({ ...field, value: unspelled(field.value) }));
}

/** Rebuilds the input from its fields. */
export function rebuilt(fields: readonly Shown[]): unknown {
  const root: { input?: unknown } = {};
  const inputFields = fields.filter(({ label }) => label !== "tool" && label !== "title");
  for (const { label, mark, value } of inputFields) {
    const path = /^input($|[.[])/.test(label) ? label : `input.${label}`;
    const keys = [...path.matchAll(/[^.[\]]+/g)].map(([key]) => key);
    const isIndex = [...path.matchAll(/\[\d+\]|[^.[\]]+/g)].map(([key]) => key.startsWith("["));
    const leaf: unknown = mark === "│" ? value : JSON.parse(value);
    put(root, { keys, isIndex, leaf });
  }
  return root.input;
}

function put(root: object, { keys, isIndex, leaf }: { keys: string[]; isIndex: boolean[]; leaf: unknown }) {
  let at = root as Record<string, unknown>;
  for (const [index, key] of keys.entries()) {
    if (index === keys.length - 1) {
      const isRest = Object.hasOwn(at, key) && typeof at[key] === "object" && typeof leaf === "object";
      const value = isRest ? { ...(at[key] as object), ...leaf } : leaf;
      Object.defineProperty(at, key, { value, enumerable: true, configurable: true, writable: true });
    } else {
      if (!Object.hasOwn(at, key)) {
        const value = isIndex[index + 1] ? [] : {};
        Object.defineProperty(at, key, { value, enumerable: true, configurable: true, writable: true });
      }
      at = at[key] as Record<string, unknown>;
    }
  }
}
