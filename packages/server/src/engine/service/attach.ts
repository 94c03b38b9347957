import { createHash } from "node:crypto";
import {
  type AttachedFile,
  type Attachment,
  attachmentLimits,
  imageTypeOf,
  imageTypes,
  ok,
  type Rejection,
  type Result,
  reject,
} from "@drover/core";

/** An attachment with its bytes, before it is stored. */
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
      return tooLarge("All images together", total, attachmentLimits.totalBytes);
    const mediaType = imageTypeOf(bytes.toString("latin1", 0, 16));
    if (!mediaType) {
      const types = imageTypes.map((type) => type.slice("image/".length).toUpperCase()).join(", ");
      const message = `${name} is not an image (${types}); save it in the workspace and mention it with @`;
      return reject("UNSUPPORTED", message, { what: "attachment" });
    }
    const id = createHash("sha256").update(bytes).digest("hex");
    decoded.push({ id, name: shown(name), mediaType, size: bytes.length, bytes });
  }
  return ok(decoded);
}

/** A name is only shown; it is never a path. */
const shown = (name: string): string => name.replace(/[\p{C}/\\]/gu, "_");

const tooLarge = (what: string, size: number, limit: number) =>
  reject(
    "ATTACHMENT_TOO_LARGE",
    `${what}: ${size} bytes; at most ${megabytes(limit)} can be attached. Save it in the workspace and mention it with @`,
    { limit, size },
  );
