import { stat } from "node:fs/promises";
import { type Rejection, type Result, reject } from "@drover/core";
import type { EngineDeps } from "./deps.ts";

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

/**
 * A session's directory, looked up again: what was a directory of its own when the session began may by now be a link,
 * or lie behind one, and lead to someone else's.
 */
export async function directoryOf(
  { cwd }: { readonly cwd: string },
  { resolvePath }: Pick<EngineDeps, "resolvePath">,
): Promise<Result<string, Rejection>> {
  const real = await resolvePath(cwd, "cwd");
  if (!real.ok || real.value === cwd) return real;
  const message = `The session's directory ${cwd} now leads to ${real.value}; put the directory back, or start a session there`;
  return reject("NOT_FOUND", message, { what: "workspace" });
}
