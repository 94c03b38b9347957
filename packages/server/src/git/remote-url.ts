import { resolve } from "node:path";

/** Where a remote is. */
export type RemoteUrl =
  | { readonly kind: "network"; readonly url: string; readonly host: string; readonly path: string }
  /** A repository on this machine. */
  | { readonly kind: "local"; readonly url: string };

/** The protocols that may be used to push. */
export const PROTOCOLS = "file:http:https:ssh";

const HOST = String.raw`[A-Za-z0-9_][A-Za-z0-9._-]*|\[[0-9A-Fa-f:.]+\]`;
const USER = `(?:[A-Za-z0-9._~%][^@/?#]*@)?`;
const WITH_SCHEME = new RegExp(`^(?:https?|ssh)://${USER}(${HOST})(?::[0-9]{1,5})?/(.+)$`);
/** The short form for SSH: `git@example.com:acme/widget.git`. */
const SHORT = new RegExp(`^(?:[A-Za-z0-9_][A-Za-z0-9._-]*@)?(${HOST}):(?!:)(?!//)(.+)$`);

/**
 * Reads the address of a remote as git does; undefined for one that is not a plain address. Others name a program
 * (`ext::…`) or a descriptor, or look like an option. `top`: where a relative path begins.
 */
export function parseRemoteUrl(text: string, top: string): RemoteUrl | undefined {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: no address has any.
  if (text === "" || text.startsWith("-") || /[\0-\x1f\x7f]/.test(text)) return undefined;
  if (text.startsWith("file:///")) return { kind: "local", url: text };
  const isNamed = /^[A-Za-z0-9+.-]+:(:|\/\/)/.test(text);
  const [, host, path] = (isNamed ? WITH_SCHEME : SHORT).exec(text) ?? [];
  if (host !== undefined && path !== undefined) {
    if (/[\s\\]/.test(text)) return undefined;
    return { kind: "network", url: text, host: host.toLowerCase(), path };
  }
  if (isNamed || /^[^/]*:/.test(text)) return undefined;
  return { kind: "local", url: resolve(top, text) };
}
