import { stat } from "node:fs/promises";
import { relative } from "node:path";
import { type Rejection, type Result, reject } from "@drover/core";
import type { EngineDeps } from "./deps.ts";

/** Rejects a path that is not a directory; `given` is the path as the client wrote it, in `field`. */
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
 * A session's directory, resolved again: since the session was created it may have become a link, or lie behind one,
 * and lead somewhere else.
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

/** `/srv/a` contains `/srv/a/b` but not `/srv/a-evil`. */
export function isWithin(holder: string, path: string): boolean {
  const way = relative(holder, path);
  return way === "" || (way !== ".." && !way.startsWith("../") && !way.startsWith("/"));
}
