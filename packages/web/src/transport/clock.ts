/** Smaller differences are ignored: a Date header has whole seconds, and a response takes time. */
const toleratedMs = 2_000;

let aheadMs = 0;

/** The server's time, because this machine's clock may be wrong. */
export const serverNow = (): number => Date.now() + aheadMs;

/** Reads the server's clock from a response to a request that was sent at `askedAt`, by this machine's clock. */
export function readClock({ headers }: Response, askedAt: number): void {
  const date = Date.parse(headers.get("Date") ?? "");
  const answeredAt = Date.now();
  // A slow response says little about the current time.
  if (Number.isNaN(date) || answeredAt - askedAt > toleratedMs) return;
  const ahead = date + 500 - (askedAt + answeredAt) / 2;
  aheadMs = Math.abs(ahead) > toleratedMs ? ahead : 0;
}
