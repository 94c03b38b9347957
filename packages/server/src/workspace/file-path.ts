import { basename, dirname, join, relative, resolve } from "node:path";
import { ok, type Rejection, type Result, reject } from "@drover/core";
import { resolveInBoundary } from "./boundary.ts";

/**
 * A client's path to a file of a workspace, relative or absolute, as the path below it that git knows. The file itself
 * may be a link, which is a file like any other; its directory must not lead outside.
 */
export async function fileInWorkspace(workspace: string, path: string): Promise<Result<string, Rejection>> {
  if (path.includes("\0")) return reject("NULL_BYTE", "A path can't contain a NUL byte; remove it");
  const wanted = resolve(workspace, path);
  if (wanted === resolve(workspace)) return ok(".");
  const parent = await resolveInBoundary(dirname(wanted), [workspace]);
  if (parent.ok) {
    const home = await resolveInBoundary(workspace, [workspace]);
    if (home.ok) return ok(relative(home.value, join(parent.value, basename(wanted))));
  }
  return reject(
    "OUTSIDE_BOUNDARY",
    `${path} is outside the session's workspace ${workspace}; name a file in it`,
  );
}
