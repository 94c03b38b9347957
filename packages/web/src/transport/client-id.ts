import { randomId } from "../storage/random.ts";
import { tabShelf } from "../storage/storage.ts";

const storageKey = "drover:client";

/** This tab's name for itself, kept over reloads: what it does is logged as `web:` and this. */
export const clientId = tabShelf.read(storageKey) ?? randomId(4);
tabShelf.write(storageKey, clientId);
