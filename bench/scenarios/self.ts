import { createHash } from "node:crypto";
import { Ledger } from "../kit/ledger.ts";
import { quickFrame } from "../kit/quick-frame.ts";
import { Tally } from "../kit/tally.ts";
import { blankUnit, putUnit } from "../kit/unit.ts";
import type { Check, Scenario } from "../scenario.ts";

const units = Array.from({ length: 100 }, (_, number) => {
  const bytes = Buffer.from(blankUnit);
  putUnit(bytes, 0, { number, stamp: 0 });
  return bytes.toString("latin1");
});
const written = {
  count: units.length,
  sha256: createHash("sha256").update(units.join("")).digest("hex"),
};

interface Flaw {
  readonly what: string;
  readonly text: string;
  readonly expected: { readonly missing: number; readonly twice: number; readonly isWhole: boolean };
}

const unit = (number: number) => units[number] ?? "";

const flaws: readonly Flaw[] = [
  { what: "none", text: units.join(""), expected: { missing: 0, twice: 0, isWhole: true } },
  {
    what: "a missing unit in the middle",
    text: units.toSpliced(40, 1).join(""),
    expected: { missing: 1, twice: 0, isWhole: false },
  },
  {
    what: "a missing end",
    text: units.slice(0, -3).join(""),
    expected: { missing: 3, twice: 0, isWhole: false },
  },
  {
    what: "a duplicated unit",
    text: units.toSpliced(40, 0, unit(39)).join(""),
    expected: { missing: 0, twice: 1, isWhole: false },
  },
  {
    what: "two units swapped",
    text: units.with(40, unit(41)).with(41, unit(40)).join(""),
    expected: { missing: 0, twice: 0, isWhole: false },
  },
  {
    what: "one letter changed",
    text: units.join("").replace("fox", "box"),
    expected: { missing: 0, twice: 0, isWhole: false },
  },
];

/** In arbitrary pieces, as a stream may deliver it. */
function checkFlaw({ what, text, expected }: Flaw): Check {
  const ledger = new Ledger();
  for (let at = 0; at < text.length; at += 1000) ledger.take(text.slice(at, at + 1000), 0);
  const { missing, twice, isWhole } = ledger.settle(written);
  const seen = JSON.stringify({ missing, twice, isWhole });
  return { what: `the ledger sees: ${what}`, ok: seen === JSON.stringify(expected), seen };
}

/** The same for the tally, which checks a text while it is read, with and without the agent's hash. */
function checkTally({ what, text, expected }: Flaw): Check {
  const tallies = [new Tally(), new Tally({ isHashed: true })];
  for (let at = 0, seq = 1; at < text.length; at += 1000, seq++) {
    const data = { type: "text_delta", seq, from: seq, itemId: "one", text: text.slice(at, at + 1000) };
    for (const tally of tallies) tally.take(quickFrame(JSON.stringify(data)), 0);
  }
  const seen = tallies.map((tally) => tally.isWhole(written));
  return {
    what: `the tally sees: ${what}`,
    ok: seen.every((isWhole) => isWhole === expected.isWhole),
    seen: seen.join(", "),
  };
}

export const self: Scenario = {
  id: "self",
  title: "the checks that the other scenarios rely on",
  run: async () => ({ figures: [], checks: [...flaws.map(checkFlaw), ...flaws.map(checkTally)] }),
};
