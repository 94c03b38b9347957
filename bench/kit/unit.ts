// The payload of one update: exactly UNIT bytes of plain ASCII that say which update it is and when it was written.
// However the units are joined on their way, a reader can cut them apart again and see what is missing or twice.

export const UNIT = 256;
const NUMBER = 8;
const STAMP = 16;

const filler = "the quick brown fox jumps over the lazy dog while the herd grazes on "
  .repeat(UNIT)
  .slice(0, UNIT - NUMBER - STAMP - 2);

/** What `putUnit` fills in: number 0, stamp 0. */
export const blankUnit = `${"0".repeat(NUMBER)} ${"0".repeat(STAMP)} ${filler}`;

/** Microseconds of a clock that all processes of the machine share and nobody sets. */
export const now = (): number => Number(process.hrtime.bigint() / 1000n);

/** Makes the unit at `at` the `number`th, written at `stamp`; the rest of it is left as it is. */
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

/** Right-aligned, ending before `end`. The digits in front are left alone: values only ever grow. */
function putDigits(into: Buffer, end: number, value: number): void {
  let at = end;
  for (let rest = value; rest > 0; rest = Math.floor(rest / 10)) into[--at] = 48 + (rest % 10);
}
