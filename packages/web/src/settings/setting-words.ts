import type { SettingReport } from "@drover/core";

const durations = [
  [86_400_000, "d"],
  [3_600_000, "h"],
  [60_000, "m"],
  [1_000, "s"],
] as const;
const sizes = [
  [1_024 ** 3, "GiB"],
  [1_024 ** 2, "MiB"],
  [1_024, "KiB"],
] as const;

/** A value as it would be written in drover.yaml. */
export function settingWords(value: unknown, unit: SettingReport["unit"]): string {
  if (typeof value === "number" && unit === "ms") return measured(value, durations, "ms");
  if (typeof value === "number" && unit === "bytes") return measured(value, sizes, "B");
  if (Array.isArray(value)) return value.length === 0 ? "[]" : value.map(String).join(", ");
  return String(value);
}

/** In the largest unit that divides the value. */
function measured(value: number, units: readonly (readonly [number, string])[], smallest: string): string {
  const [size, name] = units.find(([size]) => value >= size && value % size === 0) ?? [1, smallest];
  return `${value / size}${name}`;
}

/** The source of a value, as text. */
export function sourceWords({ from, source }: SettingReport): string {
  switch (from) {
    case "default":
      return "Default";
    case "file":
      return source.slice(source.lastIndexOf("/") + 1).replace(/:(\d+)$/, ", line $1");
    case "environment":
      return `Variable ${source}`;
    case "command line":
      return `Option ${source}`;
  }
}
