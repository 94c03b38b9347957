import { readlink } from "node:fs/promises";
import { join } from "node:path";
import {
  type ChangedFile,
  type FileLines,
  type FileRange,
  ok,
  pathBytes,
  type Rejection,
  type Result,
  reject,
} from "@drover/core";
import type { ObjectWriter } from "../git/object-writer.ts";
import type { CheckpointPair } from "../ports.ts";
import { openRegular, readAtMost } from "../process/regular-file.ts";
import { changedFiles } from "./changes.ts";
import type { WorkingCopy } from "./working-copy.ts";

/** People do not read larger files line by line, and git's output is bounded as well. */
const maxBytes = 8 * 1024 * 1024;
/** How far git looks for a NUL byte before it treats a file as text. */
const lookedAt = 8_000;

/** Lines of a changed file, in the last commit or in the working copy. `directory` has all links resolved. */
export async function fileLines(
  copy: WorkingCopy,
  directory: string,
  range: FileRange,
): Promise<Result<FileLines, Rejection>> {
  return linesIn(await changedFiles(copy), range, {
    before: (path) => committed(copy, copy.base, path),
    after: (path) => present(directory, path),
  });
}

/** Lines of a file that differs between two commits. `changed` are the files that do; their paths are bytes in Latin 1. */
export function linesBetween(
  git: Pick<ObjectWriter, "run">,
  { before, after }: CheckpointPair,
  { changed, range }: { readonly changed: readonly ChangedFile[]; readonly range: FileRange },
): Promise<Result<FileLines, Rejection>> {
  return linesIn(changed, range, {
    before: (path) => committed(git, before, path),
    after: (path) => committed(git, after, path),
  });
}

type Read = (path: string) => Promise<Content>;

async function linesIn(
  changed: readonly ChangedFile[],
  { path, side, from, to }: FileRange,
  read: { readonly before: Read; readonly after: Read },
): Promise<Result<FileLines, Rejection>> {
  const wanted = pathBytes(path);
  const file = changed.find((each) => each.path === wanted);
  if (!file)
    return missing(`${path} has no changes; GET /api/sessions/:id/workspace lists the files that do`);
  const content = await read[side](side === "before" ? (file.from ?? file.path) : file.path);
  if (content === "absent") return missing(`${path} does not exist ${side} the change`);
  if (content === "special") return unsupported(path, "is not a regular file", "special file");
  if (content === "large") return unsupported(path, `has more than ${maxBytes} bytes`, "large file");
  if (content.subarray(0, lookedAt).includes(0)) return unsupported(path, "is not a text", "binary file");
  const lines = linesOf(content.toString());
  return ok({ path, side, from, total: lines.length, lines: lines.slice(from - 1, to) });
}

type Content = Buffer | "absent" | "special" | "large";

/** A file of a commit, as git stores it. */
async function committed(git: Pick<ObjectWriter, "run">, commit: string, path: string): Promise<Content> {
  const args = ["ls-tree", "-z", "--long", commit];
  const listed = await git.run({ args, paths: [Buffer.from(path, "latin1")] });
  const [, mode = "", id = "", size = ""] =
    /^(\d+) \w+ (\w+) +(\d+|-)\t/.exec(listed.toString("latin1")) ?? [];
  if (id === "") return "absent";
  if (!mode.startsWith("100")) return "special";
  return Number(size) > maxBytes ? "large" : git.run({ args: ["cat-file", "blob", id] });
}

/** A file of the working tree. It, or a directory on the way to it, can be replaced with a link at any time. */
async function present(directory: string, path: string): Promise<Content> {
  const bytes = Buffer.from(path, "latin1");
  const at = Buffer.concat([Buffer.from(join(directory, "/")), bytes]);
  try {
    await using file = await openRegular(at, { followLinks: false });
    // Its real location; known on Linux only.
    const opened = await readlink(`/proc/self/fd/${file.fd}`, "buffer").catch(() => at);
    if (!opened.equals(at)) return "special";
    return (await readAtMost(file, maxBytes)) ?? "large";
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === "ENOENT" || code === "ENOTDIR" ? "absent" : "special";
  }
}

function linesOf(text: string): string[] {
  if (text === "") return [];
  return (text.endsWith("\n") ? text.slice(0, -1) : text).split("\n");
}

const missing = (message: string) => reject("NOT_FOUND", message, { what: "file" });

const unsupported = (path: string, why: string, what: string) =>
  reject("UNSUPPORTED", `${path} ${why}; its lines can't be shown`, { what });
