import {
  type AttachedFile,
  attachmentLimits,
  err,
  imageTypeOf,
  imageTypes,
  ok,
  type Result,
} from "@drover/core";
import { createStore, useStore } from "../state/store.ts";
import { randomId } from "../storage/random.ts";
import type { Problem } from "../transport/wire.ts";

/** An image that will be sent with the next message. Kept in memory: it is too large for the browser's storage. */
export interface AttachedImage extends AttachedFile {
  readonly key: string;
  readonly size: number;
}

const store = createStore<Readonly<Record<string, readonly AttachedImage[]>>>({});
const none: readonly AttachedImage[] = [];

export const useAttached = (sessionId: string): readonly AttachedImage[] =>
  useStore(store, (all) => all[sessionId] ?? none);

const change = (sessionId: string, images: readonly AttachedImage[]) =>
  store.set({ ...store.get(), [sessionId]: images });

export const detach = (sessionId: string, keys: readonly string[]): void =>
  change(
    sessionId,
    (store.get()[sessionId] ?? none).filter(({ key }) => !keys.includes(key)),
  );

/** Attaches files, up to the first one that can't be attached. */
export async function attach(sessionId: string, files: readonly File[]): Promise<Result<true, Problem>> {
  for (const file of files) {
    const read = await readImage(file);
    if (!read.ok) return read;
    const images = [...(store.get()[sessionId] ?? none), read.value];
    const total = images.reduce((sum, { size }) => sum + size, 0);
    if (images.length > attachmentLimits.count)
      return refuse(`A message can have at most ${attachmentLimits.count} images.`);
    if (total > attachmentLimits.totalBytes)
      return refuse(`The images of a message can have at most ${megabytes(attachmentLimits.totalBytes)}.`);
    change(sessionId, images);
  }
  return ok(true);
}

async function readImage(file: File): Promise<Result<AttachedImage, Problem>> {
  const { name, size } = file;
  if (size > attachmentLimits.bytes)
    return refuse(`${name} is larger than ${megabytes(attachmentLimits.bytes)}. ${otherWay}`);
  const start = String.fromCharCode(...new Uint8Array(await file.slice(0, 16).arrayBuffer()));
  const mediaType = imageTypeOf(start);
  if (!mediaType) return refuse(`${name} is not an image that agents take (${typeNames}). ${otherWay}`);
  const url = await dataUrl(file);
  return ok({ key: randomId(), name, mediaType, size, data: url.slice(url.indexOf(",") + 1) });
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

const otherWay = "Save it in the workspace and mention it with @.";
const typeNames = imageTypes.map((type) => type.slice("image/".length).toUpperCase()).join(", ");
const megabytes = (bytes: number) => `${bytes / 1024 / 1024} MB`;
const refuse = (message: string) => err<Problem>({ code: "NOT_ATTACHED", message });

/** For agents that take no images at all. */
export const takesNoImages = refuse(
  "This agent can't take images. Save them in the workspace and mention them with @.",
);
