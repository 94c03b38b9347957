import { createStore, useStore } from "../state/store.ts";
import { buildPath, type ParamValues, type PathParams } from "./path.ts";

/** The table of pages declares its paths here. It cannot be imported: its pages import this module. */
// biome-ignore lint/suspicious/noEmptyInterface: pages.tsx adds the paths
export interface PageRegister {}

type PagePath = PageRegister extends { readonly path: infer Path extends string } ? Path : string;

type HrefParams<Path extends string> =
  object extends PathParams<Path> ? [params?: PathParams<Path>] : [params: PathParams<Path>];

/**
 * The address of a page. Addresses are fragments, such as `#/s/brave-otter/changes?at=12`: the server
 * serves the same file for all of them, a browser keeps them over the redirect to the login page, and they stay out of
 * logs.
 */
export function href<Path extends PagePath>(path: Path, ...[params]: HrefParams<Path>): string {
  return `#${buildPath(path, params as ParamValues | undefined)}`;
}

const fragment = createStore(location.hash);
addEventListener("hashchange", () => fragment.set(location.hash));

export function navigate(to: string): void {
  location.hash = to;
}

/** Goes to an address that takes the place of the current one in the history. */
export function redirect(to: string): void {
  location.replace(to);
}

/** The fragment of the current address. */
export function useFragment(): string {
  return useStore(fragment, (now) => now);
}
