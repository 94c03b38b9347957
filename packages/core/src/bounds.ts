import { z } from "zod";

/**
 * How much a client may send in one place, in characters and entries. Everything in a request is bounded: it is stored,
 * sent to every client, and passed to programs that have limits of their own.
 */
export const bounds = {
  /** The name of a session, message, project, account or agent. */
  id: 200,
  /** Linux accepts no longer path. */
  path: 4_096,
  /** An agent's own id for a tool call, and what Drover adds to distinguish two calls. */
  toolCallId: 1_100,
  /** The name of a variable or header. */
  name: 200,
  /** Linux starts no program with an argument or variable longer than 131,072 bytes. */
  value: 32_768,
  /** A tool's input: an edit of the largest files that people keep in repositories, before and after. */
  input: 4 * 1024 * 1024,
  /** Keys and elements of an agent's request, at all levels: more than a person would look through. */
  inputEntries: 20_000,
  /** Questions asked at once. */
  questions: 100,
  /** A whole request body: for texts whose own limit is counted in bytes, with its own error. */
  body: 16 * 1024 * 1024,
} as const;

/** A record of at most `max` entries. */
export const recordOf = <K extends z.ZodString, V extends z.ZodType>(key: K, value: V, max: number) =>
  z
    .record(key, value)
    .refine((entries) => Object.keys(entries).length <= max, `it may have ${max} entries at most`)
    .meta({ maxProperties: max });
