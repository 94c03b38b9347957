import { randomId } from "../storage/random.ts";
import { browserStorage } from "../storage/storage.ts";

const storageKey = "drover:client";

/** Identifies this browser in all its tabs. What a person does here is recorded as done by `web:CLIENT`. */
export const clientId = browserStorage.read(storageKey) ?? randomId(4);
browserStorage.write(storageKey, clientId);
