import { hasForbiddenCharacter, ok, type Rejection, type Result, reject } from "@drover/core";
import { brief } from "./validate.ts";

/** No legitimate request is deeper; recursion over it needs no further limit. */
export const maxDepth = 64;

/** Checking a value costs far more than parsing it. */
const maxEntries = 100_000;

/**
 * Parses a client's JSON: limited in depth and number of entries, free of NUL and lone surrogates. `paths` are keys
 * that hold file paths.
 */
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

/** The answer to a text with a forbidden character: for paths NUL has its own code. */
export function forbiddenCharacter(
  path: string,
  text: string,
  paths: readonly string[],
): Result<never, Rejection> {
  if (text.includes("\0") && paths.includes(path)) {
    return reject("NULL_BYTE", `${path} contains a NUL byte, which is not allowed in a path; remove it`);
  }
  const where = brief(path);
  return reject("INVALID_CHARACTER", `${where || "The text"} contains a NUL or half a character; remove it`, {
    path: where,
  });
}

/** Which limit the JSON exceeds, determined before it is parsed. */
function findExcess(text: string): string | undefined {
  let depth = 0;
  let commas = 0;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit === 0x22) i = endOfString(text, i);
    else if (unit === 0x5b || unit === 0x7b) {
      if (++depth > maxDepth) return `The JSON is nested deeper than ${maxDepth} levels; flatten it`;
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
