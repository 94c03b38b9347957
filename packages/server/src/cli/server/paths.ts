/** The API path of a session, by id or name, or of something that belongs to it. */
export function sessionPath(idOrName: string, ...segments: string[]): string {
  return ["/api/sessions", ...[idOrName, ...segments].map(encodeURIComponent)].join("/");
}

/** The id or name in a path made by `sessionPath`; undefined for other paths. */
export function sessionInPath(path: string): string | undefined {
  const encoded = /^\/api\/sessions\/([^/?]+)/.exec(path)?.[1];
  return encoded === undefined ? undefined : decodeURIComponent(encoded);
}

/** A path with a query string. Parameters without a value are left out. */
export function withQuery(path: string, query: Record<string, string | number | undefined>): string {
  const search = new URLSearchParams();
  for (const [key, value] of Object.entries(query)) {
    if (value !== undefined) search.set(key, String(value));
  }
  return search.size === 0 ? path : `${path}?${search}`;
}
