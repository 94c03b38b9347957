/** So far apart two clocks may be and count as the same: an answer's date has whole seconds, and takes a while to come. */
const toleratedMs = 2_000;

let aheadMs = 0;

/** The server's time, by which everything it tells is dated; the clock of this machine may be wrong. */
export const serverNow = (): number => Date.now() + aheadMs;

/** Reads the server's clock off an answer that was asked for at `askedAt`, by this machine's clock. */
export function readClock({ headers }: Response, askedAt: number): void {
  const date = Date.parse(headers.get("Date") ?? "");
  const answeredAt = Date.now();
  // The longer it took, the less it tells of now.
  if (Number.isNaN(date) || answeredAt - askedAt > toleratedMs) return;
  const ahead = date + 500 - (askedAt + answeredAt) / 2;
  aheadMs = Math.abs(ahead) > toleratedMs ? ahead : 0;
}
