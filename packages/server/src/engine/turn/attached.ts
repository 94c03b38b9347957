import { type Attachment, isImageType } from "@drover/core";
import type { Prompt } from "../../ports.ts";
import type { EngineDeps } from "../deps.ts";

export type Attached = Required<Pick<Prompt, "images" | "files">>;

/** A message's attachments, as an agent gets them. */
export async function attachedTo(
  deps: Pick<EngineDeps, "attachments">,
  sessionId: string,
  attachments: readonly Attachment[] = [],
): Promise<Attached> {
  const contents = await Promise.all(
    attachments.map(async ({ id, name, ...about }) => {
      const bytes = await deps.attachments.read(sessionId, id);
      if (!bytes) throw new Error(`The attachment ${name} is missing from the session's directory`);
      return { ...about, id, name, bytes };
    }),
  );
  return asPrompt(contents);
}

export function asPrompt(contents: readonly (Attachment & { readonly bytes: Buffer })[]): Attached {
  return {
    images: contents.flatMap(({ mediaType, bytes }) =>
      isImageType(mediaType) ? [{ mediaType, data: bytes.toString("base64") }] : [],
    ),
    files: contents.flatMap(({ mediaType, name, bytes }) =>
      isImageType(mediaType) ? [] : [{ name, text: bytes.toString("utf8") }],
    ),
  };
}
