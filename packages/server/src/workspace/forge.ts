import type { RemoteUrl } from "../git/remote-url.ts";

/** A host of repositories that takes pull requests. */
export interface Forge {
  /** The program that opens them, if it is installed. */
  readonly program?: "gh" | "glab";
  readonly host: string;
  /** The repository there: `acme/widget`. */
  readonly repository: string;
  /** The page on which a person opens one. */
  pageFor(branches: Branches): string;
}

export interface Branches {
  /** The branch with the work. */
  readonly branch: string;
  readonly into: string;
}

type Kind = (repository: string) => Pick<Forge, "program" | "pageFor">;

const encoded = (name: string): string => name.split("/").map(encodeURIComponent).join("/");
const queried = (query: Record<string, string>): string => new URLSearchParams(query).toString();

const kinds: readonly (readonly [RegExp, Kind])[] = [
  [
    /^github\./,
    (repository) => ({
      program: "gh",
      pageFor: ({ branch, into }) =>
        `${repository}/compare/${encoded(into)}...${encoded(branch)}?${queried({ expand: "1" })}`,
    }),
  ],
  [
    /^gitlab\./,
    (repository) => ({
      program: "glab",
      pageFor: ({ branch, into }) =>
        `${repository}/-/merge_requests/new?${queried({ "merge_request[source_branch]": branch, "merge_request[target_branch]": into })}`,
    }),
  ],
  [
    /^bitbucket\.org$/,
    (repository) => ({
      pageFor: ({ branch, into }) =>
        `${repository}/pull-requests/new?${queried({ source: branch, dest: into })}`,
    }),
  ],
  [
    /^(codeberg\.org$|gitea\.|forgejo\.)/,
    (repository) => ({
      pageFor: ({ branch, into }) => `${repository}/compare/${encoded(into)}...${encoded(branch)}`,
    }),
  ],
];

/** The forge that has a repository; undefined if it is unknown. */
export function forgeOf(url: RemoteUrl | undefined): Forge | undefined {
  if (url?.kind !== "network") return undefined;
  // Names for SSH through the port of HTTPS.
  const host = url.host.replace(/^(ssh|altssh)\.(?=(github|gitlab|bitbucket)\.)/, "");
  const repository = url.path.replace(/^\/+|\/+$/g, "").replace(/\.git$/, "");
  const kind = kinds.find(([pattern]) => pattern.test(host))?.[1];
  if (!kind || !/^[\w.~-]+(\/[\w.~-]+)+$/.test(repository)) return undefined;
  return { host, repository, ...kind(`https://${host}/${repository}`) };
}
