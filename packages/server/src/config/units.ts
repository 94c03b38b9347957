const milliseconds = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
const bytes = { B: 1, KiB: 1_024, MiB: 1_024 ** 2, GiB: 1_024 ** 3 } as const;

/** Milliseconds of `250ms`, `5s`, `10m`, `1h` or `30d`; undefined for anything else. */
export const parseDuration = (text: string): number | undefined => measure(text, milliseconds);

/** The longest Node timer, some 24 days: a longer one would fire immediately. */
const longestTimer = 2 ** 31 - 1;

/** Like `parseDuration`, for timers. */
export function parseTimeout(text: string): number | undefined {
  const duration = parseDuration(text);
  return duration !== undefined && duration <= longestTimer ? duration : undefined;
}

/** Bytes of `512B`, `64KiB`, `4MiB` or `1GiB`; undefined for anything else. */
export const parseSize = (text: string): number | undefined => measure(text, bytes);

function measure(text: string, units: Readonly<Record<string, number>>): number | undefined {
  const [, amount, name = ""] = /^(\d{1,9})([a-zA-Z]+)$/.exec(text) ?? [];
  const unit = Object.hasOwn(units, name) ? units[name] : undefined;
  return amount === undefined || unit === undefined ? undefined : Number(amount) * unit;
}

/** As a person would write it: `30m`, `90s`, `4MiB`. */
export function formatValue(value: number, unit: "ms" | "bytes"): string {
  const units = Object.entries(unit === "ms" ? milliseconds : bytes).reverse();
  const [name, size] = units.find(([, each]) => value % each === 0 && value >= each) ?? ["", 1];
  return value === 0 ? `0${unit === "ms" ? "s" : "B"}` : `${value / size}${name}`;
}
