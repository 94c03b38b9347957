import { isUtf8 } from "node:buffer";
import { basename, resolve } from "node:path";
import { type AttachedFile, attachmentLimits, imageTypeOf, textType } from "@drover/core";
import { openRegular, readAtMost } from "../process/regular-file.ts";
import type { Cli } from "./cli.ts";
import { CliError, exit } from "./exit.ts";

/** The files of `--attach`, as the server takes them. */
export async function readAttachments(
  { settings }: Cli,
  files: readonly string[] = [],
): Promise<{ readonly attachments?: AttachedFile[] }> {
  if (files.length === 0) return {};
  const { count } = attachmentLimits;
  if (files.length > count) throw new CliError(exit.usage, `At most ${count} files can be attached.`);
  return { attachments: await Promise.all(files.map((file) => readAttachment(file, settings.cwd))) };
}

async function readAttachment(file: string, cwd: string): Promise<AttachedFile> {
  const bytes = await readFile(resolve(cwd, file)).catch((error: Error) => {
    throw new CliError(exit.usage, `Cannot read ${file}: ${error.message}`);
  });
  const limit = attachmentLimits.bytes;
  if (!bytes) throw new CliError(exit.usage, `${file} is larger than ${limit / 1024 / 1024} MB.`);
  const isText = isUtf8(bytes) && !bytes.includes(0);
  const mediaType = imageTypeOf(bytes.toString("latin1", 0, 16)) ?? (isText ? textType : undefined);
  if (!mediaType) {
    const next = "Mention it in the message instead: @PATH, relative to the agent's directory.";
    throw new CliError(
      exit.usage,
      `${file} is neither an image (PNG, JPEG, GIF, WebP) nor a text file (UTF-8).`,
      next,
    );
  }
  return { name: basename(file), mediaType, data: bytes.toString("base64") };
}

async function readFile(path: string): Promise<Buffer | undefined> {
  await using file = await openRegular(path);
  return await readAtMost(file, attachmentLimits.bytes);
}
