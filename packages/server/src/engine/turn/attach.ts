import { isUtf8 } from "node:buffer";
import { createHash } from "node:crypto";
import {
  type AttachedFile,
  type Attachment,
  type AttachmentType,
  attachmentLimits,
  imageTypeOf,
  imageTypes,
  ok,
  type Rejection,
  type Result,
  reject,
  type StoredFile,
  textType,
} from "@drover/core";
import type { Answer } from "../../service.ts";
import type { EngineDeps } from "../deps.ts";
import { notFound } from "../not-found.ts";

/** An attachment with its bytes. */
export interface DecodedAttachment extends Attachment {
  readonly bytes: Buffer;
}

const megabytes = (bytes: number) => `${bytes / 1024 / 1024} MB`;

/** Decodes and checks what a client attached. The content decides what it is, not what the client calls it. */
export function decodeAttachments(files: readonly AttachedFile[]): Result<DecodedAttachment[], Rejection> {
  const decoded: DecodedAttachment[] = [];
  let total = 0;
  for (const [at, { name, data }] of files.entries()) {
    const bytes = Buffer.from(data, "base64");
    if (bytes.toString("base64") !== data) {
      const message = `The data of ${name} is not valid base64`;
      return reject("BAD_REQUEST", message, { issues: [{ path: `attachments.${at}.data`, message }] });
    }
    total += bytes.length;
    if (bytes.length > attachmentLimits.bytes) return tooLarge(name, bytes.length, attachmentLimits.bytes);
    if (total > attachmentLimits.totalBytes)
      return tooLarge("All attachments together", total, attachmentLimits.totalBytes);
    const mediaType = attachmentTypeOf(bytes);
    if (!mediaType) {
      const types = imageTypes.map((type) => type.slice("image/".length).toUpperCase()).join(", ");
      const message = `${name} is neither an image (${types}) nor a text file (UTF-8); save it in the workspace and mention it with @`;
      return reject("UNSUPPORTED", message, { what: "attachment" });
    }
    const id = createHash("sha256").update(bytes).digest("hex");
    decoded.push({ id, name: shown(name), mediaType, size: bytes.length, bytes });
  }
  return ok(decoded);
}

/** Attachments that a message of this session had before. */
export async function findAttachments(
  { attachments }: Pick<EngineDeps, "attachments">,
  sessionId: string,
  files: readonly StoredFile[] = [],
): Answer<DecodedAttachment[]> {
  const found: DecodedAttachment[] = [];
  for (const { id, name } of files) {
    const bytes = await attachments.read(sessionId, id);
    const mediaType = bytes && attachmentTypeOf(bytes);
    if (!mediaType) return notFound("attachment", id);
    found.push({ id, name: shown(name), mediaType, size: bytes.length, bytes });
  }
  return ok(found);
}

/** Undefined if agents take no such files. */
export function attachmentTypeOf(bytes: Buffer): AttachmentType | undefined {
  const image = imageTypeOf(bytes.toString("latin1", 0, 16));
  return image ?? (isUtf8(bytes) && !bytes.includes(0) ? textType : undefined);
}

/** What the log keeps of them. */
export const withoutBytes = (files: readonly DecodedAttachment[]): { attachments?: Attachment[] } =>
  files.length === 0 ? {} : { attachments: files.map(({ bytes: _bytes, ...attachment }) => attachment) };

/** A name is only shown; it is never a path. */
const shown = (name: string): string => name.replace(/[\p{C}/\\]/gu, "_");

const tooLarge = (what: string, size: number, limit: number) =>
  reject(
    "ATTACHMENT_TOO_LARGE",
    `${what}: ${size} bytes; at most ${megabytes(limit)} can be attached. Save it in the workspace and mention it with @`,
    { limit, size },
  );
