import { isDeepStrictEqual } from "node:util";
import type { z } from "zod";

/** Throws unless an answer, as JSON, is exactly what its operation declares, with nothing missing or added. */
export function checkAnswer({ name, output }: { name: string; output: z.ZodType }, value: unknown): void {
  const sent: unknown = JSON.parse(JSON.stringify(value));
  const declared: unknown = output.parse(sent);
  if (isDeepStrictEqual(JSON.parse(JSON.stringify(declared)), sent)) return;
  throw new Error(`${name} answers more than its output declares: ${JSON.stringify(sent)}`);
}
