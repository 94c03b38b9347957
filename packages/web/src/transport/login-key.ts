import { browserStorage } from "../storage/storage.ts";

/** Under this name the login page stores the key, which it makes. */
const storageKey = "drover:key";

/**
 * The other half of this browser's login. Cookies reach every port of the host; what an origin stores does not. It is
 * read for every request, because another tab may have logged in again.
 */
export const loginKey = (): string | undefined => browserStorage.read(storageKey);

export function forgetLoginKey(): void {
  browserStorage.write(storageKey, undefined);
}
