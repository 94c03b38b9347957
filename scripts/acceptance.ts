// `npm run acceptance [-- --check]`: the acceptance cases that no test claims. A test, or a check of the conformance
// suite, claims a case if its title starts with the case's id (`S1 a client that drops mid-turn …`). --check fails
// while a due case is unclaimed.
import { glob, readFile } from "node:fs/promises";
import { join } from "node:path";
import { root } from "./root.ts";
import { leadingText, type Node, nodes, parse } from "./syntax.ts";

/** `S1-15 D1 D4-8` → S1, S2 … S15, D1, D4 … D8. */
function ids(list: string): string[] {
  return list.split(" ").flatMap((range) => {
    const [, letter = "", first = "", last = first] = /^([A-Z])(\d+)(?:-(\d+))?$/.exec(range) ?? [];
    return Array.from(
      { length: Number(last) - Number(first) + 1 },
      (_, index) => `${letter}${Number(first) + index}`,
    );
  });
}

const due = ids(
  "P1-10 C1-11 S1-15 A1-6 A8 A9 A12-15 L1-8 L10-12 X1-12 K5 D1 D2 D4-8 H1-11 N1-10 E1-6 F7 G1-8 T1-6",
);
const later = ids("A7 A10 A11 L9 K1-4 K6-11 W1-12 W14 W16 R1-10 V1-9");

const names = (node: Node): string[] =>
  nodes(node).flatMap((each) => (each.type === "Identifier" ? [each.name] : []));

/** The ids a title starts with; several may share one test: `A3 A9 …`. */
const claims = (title: string): string[] => /^((?:[A-Z]\d+ )+)/.exec(title)?.[1]?.trim().split(" ") ?? [];

/**
 * The ids claimed by the tests of one file. A group's title claims nothing, nor does a skipped test; a table of tests
 * (`test.each(rows)("%s")`) claims what its rows' titles claim.
 */
export function claimedIds(path: string, text: string): string[] {
  return nodes(parse(path, text)).flatMap((node) => {
    if (node.type !== "CallExpression" || node.arguments.length < 2) return [];
    const title = leadingText(node.arguments[0]);
    const called = names(node.callee);
    if (title === undefined || ["describe", "skip", "todo"].some((name) => called.includes(name))) return [];
    const isTable = title.startsWith("%s") || title.startsWith("$");
    return isTable ? nodes(node.callee).flatMap((each) => claims(leadingText(each) ?? "")) : claims(title);
  });
}

const testFiles = ["{packages/*/test,test}/**/*.test.{ts,tsx}", "test/conformance/*.ts"];

async function allClaimedIds(): Promise<Set<string>> {
  const found = new Set<string>();
  for await (const path of glob(testFiles, { cwd: root })) {
    for (const id of claimedIds(path, await readFile(join(root, path), "utf8"))) found.add(id);
  }
  return found;
}

if (import.meta.main) {
  const claimed = await allClaimedIds();
  const missing = (cases: string[]) => cases.filter((id) => !claimed.has(id));
  const unknown = [...claimed].filter((id) => !due.includes(id) && !later.includes(id));
  const dueMissing = missing(due);
  console.log(
    `due now, without a test (${dueMissing.length} of ${due.length}): ${dueMissing.join(" ") || "none"}`,
  );
  console.log(
    `later, without a test (${missing(later).length} of ${later.length}): ${missing(later).join(" ")}`,
  );
  if (unknown.length > 0) console.log(`claimed by a test, but no case: ${unknown.join(" ")}`);
  if (process.argv.includes("--check") && dueMissing.length + unknown.length > 0) process.exitCode = 1;
}
