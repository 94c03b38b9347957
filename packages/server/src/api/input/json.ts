import { hasForbiddenCharacter, ok, type Rejection, type Result, reject } from "@drover/core";
import { brief } from "./validate.ts";

/** Deeper JSON is nobody's request; every walk over it may recurse without care. */
export const maxDepth = 64;

/** Checking a value costs far more than parsing it. */
const maxEntries = 100_000;

/** JSON from a client: bounded in depth and number of entries, free of NUL and half characters. `paths` are keys that hold file paths. */
export function parseJson(text: string, paths: readonly string[] = []): Result<unknown, Rejection> {
  const excess = findExcess(text);
  if (excess) return reject("BAD_REQUEST", excess, { issues: [{ path: "", message: excess }] });
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const message = `This is not JSON; send one object. ${error instanceof Error ? error.message : error}`;
    return reject("BAD_REQUEST", message, { issues: [{ path: "", message }] });
  }
  // Unescaped, neither can be in JSON that was decoded as UTF-8.
  const found = text.includes("\\u") ? findForbidden(value, []) : undefined;
  if (!found) return ok(value);
  return forbiddenCharacter(found.path.join("."), found.text, paths);
}

/** What a text with a forbidden character is answered: for paths NUL has a code of its own. */
export function forbiddenCharacter(
  path: string,
  text: string,
  paths: readonly string[],
): Result<never, Rejection> {
  if (text.includes("\0") && paths.includes(path)) {
    return reject("NULL_BYTE", `${path} has a NUL byte in it, which no path may have; take it out`);
  }
  const where = brief(path);
  return reject("INVALID_CHARACTER", `${where || "The text"} holds a NUL or half a character; take it out`, {
    path: where,
  });
}

/** What the JSON has too much of, told before it is parsed. */
function findExcess(text: string): string | undefined {
  let depth = 0;
  let commas = 0;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit === 0x22) i = endOfString(text, i);
    else if (unit === 0x5b || unit === 0x7b) {
      if (++depth > maxDepth) return `The JSON is nested deeper than ${maxDepth} levels; send it flatter`;
    } else if (unit === 0x5d || unit === 0x7d) depth--;
    else if (unit === 0x2c && ++commas >= maxEntries) {
      return `The JSON has more than ${maxEntries} entries; send less at once`;
    }
  }
  return undefined;
}

function endOfString(text: string, start: number): number {
  let i = start + 1;
  for (; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit === 0x22) break;
    if (unit === 0x5c) i++;
  }
  return i;
}

function findForbidden(value: unknown, path: string[]): { path: string[]; text: string } | undefined {
  if (typeof value === "string") return hasForbiddenCharacter(value) ? { path, text: value } : undefined;
  if (typeof value !== "object" || value === null) return undefined;
  for (const [key, inner] of Object.entries(value)) {
    const found = hasForbiddenCharacter(key) ? { path, text: key } : findForbidden(inner, [...path, key]);
    if (found) return found;
  }
  return undefined;
}
