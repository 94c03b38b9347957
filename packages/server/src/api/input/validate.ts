import { ok, type Rejection, type Result, reject } from "@drover/core";
import type { z } from "zod";

/** An answer names at most this many issues: a body may be wrong in a million ways. */
const maxIssues = 20;
/** Keys and values come from the client, and may be as long as its whole body. */
const maxPath = 200;
const maxMessage = 1_000;

/** A value that matches the schema, or the first issues with it. */
export function validate<T extends z.ZodType>(schema: T, value: unknown): Result<z.infer<T>, Rejection> {
  const parsed = schema.safeParse(value, { error: inOurWords });
  if (parsed.success) return ok(parsed.data);
  const issues = listed(parsed.error.issues);
  const named = issues.map(({ path, message }) => ({ path: path || "The input", message }));
  return reject("BAD_REQUEST", sentencesOf(named), { issues });
}

interface Issue {
  readonly path: string;
  readonly message: string;
}

const sentencesOf = (issues: readonly Issue[]) =>
  issues.map(({ path, message }) => (path ? `${path}: ${message}` : message)).join("; ");

const listed = (issues: readonly z.core.$ZodIssue[]): Issue[] =>
  issues
    .slice(0, maxIssues)
    .flatMap(issuesOf)
    .slice(0, maxIssues)
    .map(({ path, message }) => ({ path: brief(path, maxPath), message: brief(message, maxMessage) }));

/** The beginning of a client's text, short enough for an answer to repeat. */
export const brief = (text: string, limit = maxPath): string =>
  text.length > limit ? `${text.slice(0, limit).toWellFormed()}…` : text;

function issuesOf(issue: z.core.$ZodIssue): Issue[] {
  const path = issue.path.map(String);
  switch (issue.code) {
    case "unrecognized_keys":
      return issue.keys.slice(0, maxIssues).map((key) => ({
        path: [...path, key].join("."),
        message: "unknown key; remove it",
      }));
    case "invalid_union": {
      const ways = issue.errors.map((way) => sentencesOf(listed(way)));
      return [
        { path: path.join("."), message: `it matches none of the allowed forms (${ways.join("; or ")})` },
      ];
    }
    case "invalid_key":
      return [{ path: path.join("."), message: sentencesOf(listed(issue.issues)) }];
    default:
      return [{ path: path.join("."), message: issue.message }];
  }
}

const kinds: Readonly<Record<string, string>> = {
  string: "a string",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  record: "an object",
};

/** What would be valid, for schemas without a message of their own. */
const inOurWords: z.core.$ZodErrorMap = (issue) => {
  switch (issue.code) {
    case "invalid_type": {
      const kind = kinds[issue.expected] ?? issue.expected;
      return issue.input === undefined ? `it is missing; it must be ${kind}` : `it must be ${kind}`;
    }
    case "invalid_value":
      return `it must be one of: ${issue.values.join(", ")}`;
    case "too_small":
      if (issue.origin === "string") return "it may not be empty";
      return `it must be ${issue.minimum} or more`;
    case "too_big":
      if (issue.origin === "string") return `it may have ${issue.maximum} characters at most`;
      if (issue.origin === "array") return `it may have ${issue.maximum} entries at most`;
      return `it must be ${issue.maximum} or less`;
    default:
      return undefined;
  }
};
