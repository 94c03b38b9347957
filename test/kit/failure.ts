import { inspect, stripVTControlCharacters } from "node:util";

/**
 * A failure in the form that `.ci/run` finds and repeats at its end: its name after `failed: `, then its output,
 * indented.
 */
export function describeFailure(name: string, said: unknown = ""): string {
  const text = stripVTControlCharacters(typeof said === "string" ? said : inspect(said));
  const lines = text.split("\n").filter(Boolean).slice(0, 40);
  return [`failed: ${name}`, ...lines.map((line) => `    ${line}`)].join("\n");
}
