import type { Rejection, Result } from "@drover/core";
import type { Caller, Service } from "../service.ts";
import type { Operation } from "./operation.ts";
import { promptTooLarge } from "./prompt-size.ts";

export interface Performing {
  readonly service: Service;
  /** Called with every answer before it is sent. Tests check it against the operation's `output`. */
  readonly onAnswer?: ((operation: Performed, value: unknown) => void) | undefined;
}

export type Performed = Pick<Operation, "name" | "limits" | "output" | "run">;

/** Runs an operation for an admitted caller, within the limits of its input. */
export async function perform(
  operation: Performed,
  request: { readonly caller: Caller; readonly input: unknown },
  { service, onAnswer }: Performing,
): Promise<Result<unknown, Rejection>> {
  const { limits, run } = operation;
  const input = request.input as Parameters<Operation["run"]>[1];
  const tooLarge = promptTooLarge(limits?.prompt(input) ?? "");
  if (tooLarge) return tooLarge;
  const result = await run(service, input, request.caller);
  if (result.ok) onAnswer?.(operation, result.value);
  return result;
}
