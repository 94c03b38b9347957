import type { Attachment } from "@drover/core";
import type { PromptImage } from "../../ports.ts";
import type { SessionLog } from "../session/log.ts";

/** The images of a message, as an agent gets them. */
export async function imagesOf(
  { deps, journal }: SessionLog,
  attachments: readonly Attachment[] = [],
): Promise<PromptImage[]> {
  const images: PromptImage[] = [];
  for (const { id, mediaType, name } of attachments) {
    const bytes = await deps.attachments.read(journal.row.id, id);
    if (!bytes) throw new Error(`The attachment ${name} is missing from the session's directory`);
    images.push({ mediaType, data: bytes.toString("base64") });
  }
  return images;
}
