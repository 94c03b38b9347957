import {
  type AttachedFile,
  attachmentLimits,
  err,
  imageTypeOf,
  imageTypes,
  isImageType,
  ok,
  type Result,
  textType,
} from "@drover/core";
import { createStore, useStore } from "../state/store.ts";
import { randomId } from "../storage/random.ts";
import type { Problem } from "../transport/wire.ts";

/** A file that will be sent with the next message. Kept in memory: it is too large for the browser's storage. */
export interface Attached extends AttachedFile {
  readonly key: string;
  readonly size: number;
}

/** The attached files of each draft. */
const store = createStore<Readonly<Record<string, readonly Attached[]>>>({});
const none: readonly Attached[] = [];

export const useAttached = (draft: string): readonly Attached[] =>
  useStore(store, (all) => all[draft] ?? none);

const change = (draft: string, files: readonly Attached[]) => store.set({ ...store.get(), [draft]: files });

export const detach = (draft: string, keys: readonly string[]): void =>
  change(
    draft,
    (store.get()[draft] ?? none).filter(({ key }) => !keys.includes(key)),
  );

/** The files of one draft become those of another. */
export function moveAttached(from: string, to: string): void {
  change(to, [...(store.get()[to] ?? none), ...(store.get()[from] ?? none)]);
  change(from, none);
}

/** Attaches files, up to the first one that can't be attached. */
export async function attach(
  draft: string,
  files: readonly File[],
  takesImages: boolean,
): Promise<Result<true, Problem>> {
  for (const file of files) {
    const read = await readAttached(file);
    if (!read.ok) return read;
    if (!takesImages && isImageType(read.value.mediaType)) return takesNoImages;
    const attached = [...(store.get()[draft] ?? none), read.value];
    const total = attached.reduce((sum, { size }) => sum + size, 0);
    if (attached.length > attachmentLimits.count)
      return refuse(`You can attach up to ${attachmentLimits.count} files to a message.`);
    if (total > attachmentLimits.totalBytes)
      return refuse(`A message's files can't exceed ${megabytes(attachmentLimits.totalBytes)} in total.`);
    change(draft, attached);
  }
  return ok(true);
}

async function readAttached(file: File): Promise<Result<Attached, Problem>> {
  const { name, size } = file;
  if (size > attachmentLimits.bytes)
    return refuse(`${name} is larger than ${megabytes(attachmentLimits.bytes)}. ${otherWay}`);
  if (size === 0) return refuse(`${name} is empty.`);
  const bytes = new Uint8Array(await file.arrayBuffer());
  const image = imageTypeOf(String.fromCharCode(...bytes.subarray(0, 16)));
  if (!image && !isText(bytes))
    return refuse(`${name} is neither an image (${typeNames}) nor a text file. ${otherWay}`);
  const url = await dataUrl(file);
  const data = url.slice(url.indexOf(",") + 1);
  return ok({ key: randomId(), name, mediaType: image ?? textType, size, data });
}

function isText(bytes: Uint8Array): boolean {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return !bytes.includes(0);
  } catch {
    return false;
  }
}

/** The page's policy allows `data:` images and no `blob:` ones. */
export function dataUrl(blob: Blob): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const reader = new FileReader();
  reader.onload = () => resolve(String(reader.result));
  reader.onerror = () => reject(reader.error);
  reader.readAsDataURL(blob);
  return promise;
}

/** Text files count as part of the message: many agents get them that way. */
export const textBytesOf = (files: readonly Attached[]): number =>
  files.reduce((sum, { mediaType, size }) => sum + (mediaType === textType ? size : 0), 0);

export const hasImages = (files: readonly Attached[]): boolean =>
  files.some(({ mediaType }) => isImageType(mediaType));

const otherWay = "Save it in the workspace and mention it with @.";
const typeNames = imageTypes.map((type) => type.slice("image/".length).toUpperCase()).join(", ");
const megabytes = (bytes: number) => `${bytes / 1024 / 1024} MB`;
const refuse = (message: string) => err<Problem>({ code: "NOT_ATTACHED", message });

/** For agents that take no images at all. */
export const takesNoImages = refuse(
  "This agent can't take images. Save them in the workspace and mention them with @.",
);
