/**
 * How much can be attached to one message. Encoded and with its text, it fits into one request. Text files also share
 * the limit of the message's text, because many agents get them as part of it.
 */
export const attachmentLimits = {
  count: 10,
  bytes: 5 * 1024 * 1024,
  totalBytes: 10 * 1024 * 1024,
} as const;

/** The images that agents take and that browsers show without running anything. */
export const imageTypes = ["image/png", "image/jpeg", "image/gif", "image/webp"] as const;
export type ImageType = (typeof imageTypes)[number];

/** Every text file has this type: it is shown and sent as text, whatever it contains. */
export const textType = "text/plain";
export type AttachmentType = ImageType | typeof textType;

export const isImageType = (type: string | undefined): type is ImageType =>
  imageTypes.some((known) => known === type);

const signatures: readonly (readonly [ImageType, RegExp])[] = [
  ["image/png", /^\x89PNG\r\n/],
  ["image/jpeg", /^\xff\xd8\xff/],
  ["image/gif", /^GIF8[79]a/],
  ["image/webp", /^RIFF[\s\S]{4}WEBP/],
];

/** What kind of image begins with these bytes (Latin 1 stands for bytes); a name or a header may lie about it. */
export const imageTypeOf = (start: string): ImageType | undefined =>
  signatures.find(([, signature]) => signature.test(start))?.[0];
