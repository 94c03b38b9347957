import { randomId } from "./random.ts";

const storageKey = "drover:client";

/** This tab's name for itself, kept over reloads: what it does is logged as `web:` and this. */
export const clientId = sessionStorage.getItem(storageKey) ?? randomId(4);
sessionStorage.setItem(storageKey, clientId);
