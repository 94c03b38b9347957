import { browserStorage } from "../storage/storage.ts";

/** The login page creates the key and stores it under this name. */
const storageKey = "drover:key";

/**
 * The second half of this browser's login. Unlike cookies, which are sent to every port of the host, it belongs to one
 * origin. It is read for every request, because another tab may have logged in again.
 */
export const loginKey = (): string | undefined => browserStorage.read(storageKey);

export function forgetLoginKey(): void {
  browserStorage.write(storageKey, undefined);
}
