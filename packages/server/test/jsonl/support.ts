import type { Preset } from "@drover/core";
import type { Line } from "../../src/process/lines.ts";

export const NOW = Date.parse("2026-11-15T12:00:00Z");

/** The exit of a process without further output. */
export const GONE = { code: 0, signal: null, stderrTail: "" };

export const presetOf = (more: Partial<Preset> = {}): Preset => ({
  agent: "kit",
  name: "Kit",
  driver: "jsonl",
  command: "kit",
  args: [],
  env: {},
  passEnv: [],
  ...more,
});

/** The lines of an output, as the process layer delivers them. */
export function linesOf(output: string): Line[] {
  let end = 0;
  const whole = output.split("\n");
  const partial = whole.pop() ?? "";
  const lines = whole.map((text): Line => {
    end += Buffer.byteLength(text) + 1;
    return { kind: "line", text, end };
  });
  return partial === ""
    ? lines
    : [...lines, { kind: "torn", text: partial, end: end + Buffer.byteLength(partial) }];
}
