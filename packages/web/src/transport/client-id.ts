import { randomId } from "../storage/random.ts";
import { browserShelf } from "../storage/storage.ts";

const storageKey = "drover:client";

/** This browser's name, the same in all its tabs. What a person does here is recorded as done by `web:` and this. */
export const clientId = browserShelf.read(storageKey) ?? randomId(4);
browserShelf.write(storageKey, clientId);
