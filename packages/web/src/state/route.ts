import { createStore, useStore } from "./store.ts";

/** The session in the address: `#/brave-otter`. A fragment, so that every address is the same file to the server. */
const route = createStore(read());
addEventListener("hashchange", () => route.set(read()));

function read(): string | undefined {
  return /^#\/([a-z0-9_-]+)$/.exec(location.hash)?.[1];
}

export const routeTo = (idOrName: string | undefined): string => `#/${idOrName ?? ""}`;

export function navigate(idOrName: string | undefined): void {
  location.hash = routeTo(idOrName);
}

export function useRoute(): string | undefined {
  return useStore(route, (name) => name);
}
