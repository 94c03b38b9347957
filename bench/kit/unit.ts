// The payload of one update: exactly UNIT bytes of plain ASCII with its number and the time it was written. However units
// are joined on their way, a reader can separate them again and detect missing or duplicated ones.

export const UNIT = 256;
const NUMBER = 8;
const STAMP = 16;

const filler = "the quick brown fox jumps over the lazy dog while the herd grazes on "
  .repeat(UNIT)
  .slice(0, UNIT - NUMBER - STAMP - 2);

/** What `putUnit` fills in: number 0, stamp 0. */
export const blankUnit = `${"0".repeat(NUMBER)} ${"0".repeat(STAMP)} ${filler}`;

/** Microseconds of the machine's monotonic clock, which all processes share. */
export const now = (): number => Number(process.hrtime.bigint() / 1000n);

/** Writes `number` and `stamp` into the unit at `at`, and leaves the rest unchanged. */
export function putUnit(
  into: Buffer,
  at: number,
  { number, stamp }: { number: number; stamp: number },
): void {
  putDigits(into, at + NUMBER, number);
  if (stamp > 0) putDigits(into, at + NUMBER + 1 + STAMP, stamp);
}

export const numberAt = (text: string, at: number): number => Number(text.slice(at, at + NUMBER));

export const stampAt = (text: string, at: number): number =>
  Number(text.slice(at + NUMBER + 1, at + NUMBER + 1 + STAMP));

/** Right-aligned, ending before `end`. Leading digits are left alone, because values only grow. */
function putDigits(into: Buffer, end: number, value: number): void {
  let at = end;
  for (let remaining = value; remaining > 0; remaining = Math.floor(remaining / 10))
    into[--at] = 48 + (remaining % 10);
}
