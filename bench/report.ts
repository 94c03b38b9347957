import { describeFailure } from "../test/kit/failure.ts";
import type { Machine } from "./machine.ts";
import type { Check, Figure, Outcome, Unit } from "./scenario.ts";

export interface Result extends Outcome {
  readonly id: string;
  readonly title: string;
}

export interface Tally {
  readonly passed: number;
  readonly failed: number;
}

export function tally(results: readonly Result[]): Tally {
  const checks = results.flatMap((result) => result.checks);
  const passed = checks.filter(({ ok }) => ok).length;
  return { passed, failed: checks.length - passed };
}

export const describeMachine = ({ cpu, cores, memoryGb, system, node, load }: Machine): string =>
  `${cores} cores of ${cpu}, ${memoryGb} GB, ${system}, Node ${node}, load ${load.toFixed(2)} at the start`;

/** One scenario: its figures as a Markdown table, then its failed checks. */
export function describeResult({ id, title, figures, checks }: Result): string {
  const rows = figures.map((figure) => [
    figure.what,
    amount(figure.value, figure.unit),
    figure.floor ? `${amount(figure.floor.value, figure.unit)} (${figure.floor.what})` : "",
    ratio(figure),
    figure.target ?? "",
  ]);
  const head = ["figure", "measured", "floor", "ratio", "target"];
  const wanting = checks.filter(({ ok }) => !ok);
  return [
    `\n## ${id}: ${title}`,
    ...(rows.length > 0 ? table([head, ...rows]) : []),
    ...wanting.map((check) => describeWanting(id, check)),
    ...(wanting.length === 0 ? [`held: ${[...new Set(checks.map(({ what }) => what))].join("; ")}`] : []),
  ].join("\n");
}

export const describeWanting = (id: string, { what, seen }: Check) => describeFailure(`${id}: ${what}`, seen);

function table(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]) =>
    `| ${row.map((cell, n) => cell.padEnd(widths[n] ?? 0)).join(" | ")} |`;
  const [head = [], ...body] = rows;
  return [line(head), `|${widths.map((width) => "-".repeat(width + 2)).join("|")}|`, ...body.map(line)];
}

function amount(value: number, unit: Unit): string {
  if (Number.isNaN(value)) return "unknown";
  switch (unit) {
    case "events/s":
      return value >= 1e6
        ? `${(value / 1e6).toFixed(2)} M/s`
        : `${(value / 1e3).toFixed(value < 1e5 ? 1 : 0)} k/s`;
    case "ms":
      return `${value < 10 ? value.toFixed(2) : value.toFixed(0)} ms`;
    case "µs":
      return `${value.toFixed(2)} µs`;
    case "MB":
      return `${value.toFixed(0)} MB`;
    case "":
      return String(value);
  }
}

/** Rates below their floor are shown as a share of it, times and everything above it as a multiple. */
function ratio({ value, unit, floor }: Figure): string {
  if (!floor) return "";
  const times = value / floor.value;
  return unit === "events/s" && times < 1 ? `${(100 * times).toFixed(0)} %` : `${times.toFixed(1)} ×`;
}
