import { z } from "zod";
import { attachmentLimits, imageTypes, textType } from "./attachment-limits.ts";
import { bounds } from "./bounds.ts";

/** An image or a text file that belongs to a message. Its bytes are read by its id, which is their SHA-256. */
export const attachmentSchema = z.object({
  id: z.string(),
  name: z.string(),
  mediaType: z.enum([...imageTypes, textType]),
  /** Bytes. */
  size: z.number(),
});
export type Attachment = z.infer<typeof attachmentSchema>;

/** An attachment as a client sends it. */
export const attachedFileSchema = z.strictObject({
  name: z.string().min(1).max(255),
  mediaType: z.string().min(1).max(100),
  /** Base64. */
  data: z.string().min(1).max(bounds.body),
});
export type AttachedFile = z.infer<typeof attachedFileSchema>;

/** An attachment that the session already has. */
export const storedFileSchema = z.strictObject({
  id: z.string().max(bounds.id),
  name: z.string().min(1).max(255),
});
export type StoredFile = z.infer<typeof storedFileSchema>;

export const attachedFilesSchema = z.array(attachedFileSchema).min(1).max(attachmentLimits.count);
export const storedFilesSchema = z.array(storedFileSchema).min(1).max(attachmentLimits.count);
