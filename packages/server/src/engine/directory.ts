import { stat } from "node:fs/promises";
import { type Rejection, type Result, reject } from "@drover/core";

/** The refusal of a path where no directory is; it is told as it was given, with the field that gave it. */
export async function refuseMissing(
  directory: string,
  { given, field }: { given: string; field: string },
): Promise<Result<never, Rejection> | undefined> {
  const isThere = await stat(directory).then(
    (found) => found.isDirectory(),
    () => false,
  );
  if (isThere) return undefined;
  const message = `${given} is not a directory; create it or choose another`;
  return reject("BAD_REQUEST", message, { issues: [{ path: field, message }] });
}
