import { type Review, type Session, shellWord } from "@drover/core";
import { clip } from "./text.ts";

/** How long ago, in the largest unit that fits: `12 s`, `3 min`, `5 h`, `2 d`. */
export const age = (iso: string, now: number = Date.now()): string =>
  largestUnit(Math.round((now - Date.parse(iso)) / 1000));

/** A time span in the largest unit that fits. */
export function largestUnit(seconds: number): string {
  if (seconds < 60) return `${Math.max(0, seconds)} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)} h`;
  return `${Math.floor(seconds / 86_400)} d`;
}

/** A moment in local time: `14:05`, or `2026-02-18 14:05` on another day. Undefined for an invalid date. */
export function clockTime(iso: string, now: Date = new Date()): string | undefined {
  const moment = new Date(iso);
  if (Number.isNaN(moment.getTime())) return undefined;
  const two = (number: number) => String(number).padStart(2, "0");
  const time = `${two(moment.getHours())}:${two(moment.getMinutes())}`;
  if (moment.toDateString() === now.toDateString()) return time;
  return `${moment.getFullYear()}-${two(moment.getMonth() + 1)}-${two(moment.getDate())} ${time}`;
}

export const count = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? "" : "s"}`;

/** Says that a session's queue is paused and how to continue it. */
export const pausedLine = ({ name, queued }: Pick<Session, "name" | "queued">): string =>
  `${name}: the queue is paused with ${count(queued, "message")} in it. ` +
  `\`drover resume ${shellWord(name)}\` continues it.`;

/** Who did something. `by` is `web:CLIENT`, `cli`, `api`, `agent:SESSION`, `rule:ID` or `server`. */
export function actor(by: string): string {
  const [kind = "", id = ""] = by.split(/:(.*)/s);
  const names: Record<string, string> = {
    cli: "the command line",
    web: "the web page",
    api: "the API",
    server: "Drover",
    rule: `rule ${id}`,
    agent: `the agent of ${id}`,
  };
  return Object.hasOwn(names, kind) ? (names[kind] ?? by) : by;
}

/** The text of a tool's result, whatever its shape. For people, not for scripts. */
export function resultText(result: unknown): string {
  if (typeof result === "string") return result;
  if (Array.isArray(result)) return result.map(resultText).filter(Boolean).join("\n");
  if (typeof result !== "object" || result === null) return "";
  for (const key of ["text", "content", "output", "error", "message"] as const) {
    const value: unknown = (result as Record<string, unknown>)[key];
    const text = value === undefined ? "" : resultText(value);
    if (text) return text;
  }
  return "";
}

/** The first line that is not blank. */
export function glance(text: string, max: number): string {
  return clip(text.split("\n").find((line) => line.trim() !== "") ?? "", max);
}

/** How a project's check failed, below its name. */
export const failedCheck = ({ reason, tail }: NonNullable<Review["checks"]>): string[] =>
  [...(reason === undefined ? [] : [`${reason}.`]), ...lastLines(tail)].map((line) => `  ${line}`);

/** The last lines of a failed program's output; `drover logs --stream stderr` prints all of it. */
export function lastLines(text: unknown): string[] {
  if (typeof text !== "string") return [];
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  return lines.slice(-8);
}
