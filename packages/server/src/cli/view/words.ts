import type { Session } from "@drover/core";
import { shellWord } from "../../doctor/words.ts";
import { clip } from "./text.ts";

/** How long ago, in the largest unit that fits: `12 s`, `3 min`, `5 h`, `2 d`. */
export function age(iso: string, now: number = Date.now()): string {
  const seconds = Math.max(0, Math.round((now - Date.parse(iso)) / 1000));
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)} h`;
  return `${Math.floor(seconds / 86_400)} d`;
}

/** For whoever waits for a queue that nobody starts. */
export const pausedLine = ({ name, queued }: Pick<Session, "name" | "queued">): string =>
  `${name}: its queue is paused with ${queued} in it. \`drover resume ${shellWord(name)}\` lets it go on.`;

/** The text of a tool's result in whatever shape its agent gave it, for a glance: not for scripts. */
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

/** The first line that says something. */
export function glance(text: string, max: number): string {
  return clip(text.split("\n").find((line) => line.trim() !== "") ?? "", max);
}

/** The end of what a program said before it failed; `drover logs --stream stderr` has all of it. */
export function lastLines(text: unknown): string[] {
  if (typeof text !== "string") return [];
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  return lines.slice(-8);
}
