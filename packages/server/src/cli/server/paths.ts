/** The path of a session, by id or name, and of what belongs to it. */
export function sessionPath(idOrName: string, ...rest: string[]): string {
  return ["/api/sessions", ...[idOrName, ...rest].map(encodeURIComponent)].join("/");
}

/** A path with those parameters that have a value. */
export function withQuery(path: string, query: Record<string, string | number | undefined>): string {
  const given = new URLSearchParams();
  for (const [key, value] of Object.entries(query)) {
    if (value !== undefined) given.set(key, String(value));
  }
  return given.size === 0 ? path : `${path}?${given}`;
}
