import { z } from "zod";

/**
 * How much a client may send in one place, in characters and entries. Everything in a request is bounded: what is taken
 * is stored, sent to every client, and handed to programs that have limits of their own.
 */
export const bounds = {
  /** Of a session, message, project, account or agent. */
  id: 200,
  /** Linux takes no longer path. */
  path: 4_096,
  /** An agent's own id for a tool call, and what Drover adds to tell two calls apart. */
  toolCallId: 1_100,
  /** The name of a variable or header. */
  name: 200,
  /** Linux starts no program with a longer argument or variable than 131,072 bytes. */
  value: 32_768,
  /** What a tool is given: an edit of the largest files that people keep in repositories, before and after. */
  input: 4 * 1024 * 1024,
  /** Keys and elements of what an agent asks for, at all levels: more than a person would look through. */
  inputEntries: 20_000,
  /** Asked at once. */
  questions: 100,
  /** A whole request body: for texts whose own limit is counted in bytes, with an error of its own. */
  body: 16 * 1024 * 1024,
} as const;

/** A record of at most `max` entries. */
export const recordOf = <K extends z.ZodString, V extends z.ZodType>(key: K, value: V, max: number) =>
  z
    .record(key, value)
    .refine((entries) => Object.keys(entries).length <= max, `it may have ${max} entries at most`)
    .meta({ maxProperties: max });
