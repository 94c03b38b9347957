import fc from "fast-check";
import { expect, test } from "vitest";
import { type Line, LineSplitter, type LineSplitterOptions } from "../../src/process/lines.ts";

const MIB = 1024 * 1024;

function split(chunks: Buffer[], options?: LineSplitterOptions): Line[] {
  const splitter = new LineSplitter(options);
  return [...chunks.flatMap((chunk) => splitter.push(chunk)), ...splitter.finish()];
}

/** A naive reference implementation. */
function plainly(bytes: Buffer, maxLine: number): Line[] {
  const lines: Line[] = [];
  let from = 0;
  while (from < bytes.length) {
    const at = bytes.indexOf(10, from);
    const to = at === -1 ? bytes.length : at;
    const end = at === -1 ? to : at + 1;
    if (to - from > maxLine) lines.push({ kind: "skipped", length: to - from, end });
    else lines.push({ kind: at === -1 ? "torn" : "line", text: bytes.toString("utf8", from, to), end });
    from = end;
  }
  return lines;
}

test("S4 an emoji split across two reads arrives intact", () => {
  const bytes = Buffer.from("a🐑b\nnext\n");
  for (let cut = 0; cut <= bytes.length; cut++) {
    expect(split([bytes.subarray(0, cut), bytes.subarray(cut)])).toEqual([
      { kind: "line", text: "a🐑b", end: 7 },
      { kind: "line", text: "next", end: 12 },
    ]);
  }
});

test("S5 a line of 5 MB passes, at once and byte by byte", () => {
  const line = `${"0123456789🐑".repeat(375_000)}\n`;
  const bytes = Buffer.from(line);
  expect(bytes.length).toBeGreaterThan(5_000_000);
  const whole = [{ kind: "line", text: line.slice(0, -1), end: bytes.length }];
  expect(split([bytes])).toEqual(whole);

  const splitter = new LineSplitter();
  const lines: Line[] = [];
  for (let at = 0; at < bytes.length; at++) lines.push(...splitter.push(bytes.subarray(at, at + 1)));
  expect(lines).toEqual(whole);
});

test("a line of 100 MB is skipped with one notice and bounded memory, and the next line arrives", () => {
  const splitter = new LineSplitter({ maxLine: 4 * MIB });
  const piece = Buffer.alloc(MIB, "x");
  const before = process.memoryUsage().arrayBuffers;
  let peak = 0;
  const lines: Line[] = [];
  for (let n = 0; n < 100; n++) {
    lines.push(...splitter.push(piece));
    peak = Math.max(peak, process.memoryUsage().arrayBuffers - before);
  }
  lines.push(...splitter.push(Buffer.from("\nafter\n")));
  expect(lines).toEqual([
    { kind: "skipped", length: 100 * MIB, end: 100 * MIB + 1 },
    { kind: "line", text: "after", end: 100 * MIB + 7 },
  ]);
  // The limit itself, and the smaller buffers that have not been collected yet.
  expect(peak).toBeLessThanOrEqual(10 * MIB);
});

test("invalid UTF-8 becomes U+FFFD, and NUL passes", () => {
  const bytes = Buffer.from([0xff, 0x41, 0x0a, 0xf0, 0x9f, 0x0a, 0x00, 0x42, 0x0a]);
  expect(split([bytes]).map((line) => (line.kind === "line" ? line.text : line.kind))).toEqual([
    "\ufffdA",
    "\ufffd",
    "\0B",
  ]);
});

test("offsets are absolute, and a torn last line is kept until it is complete", () => {
  const splitter = new LineSplitter({ offset: 1000 });
  expect(splitter.push(Buffer.from("one\ntw"))).toEqual([{ kind: "line", text: "one", end: 1004 }]);
  expect(splitter.unfinished.toString()).toBe("tw");
  expect(splitter.push(Buffer.from("o\n"))).toEqual([{ kind: "line", text: "two", end: 1008 }]);
  expect(splitter.finish()).toEqual([]);
  splitter.push(Buffer.from("thr"));
  expect(splitter.finish()).toEqual([{ kind: "torn", text: "thr", end: 1011 }]);
});

test("a chunk may be reused as soon as push returns", () => {
  const splitter = new LineSplitter();
  const chunk = Buffer.from("hello ");
  splitter.push(chunk);
  chunk.fill("x");
  expect(splitter.push(Buffer.from("world\n"))).toEqual([{ kind: "line", text: "hello world", end: 12 }]);
});

test("the lines are the same however the bytes are split", () => {
  const piece = fc.oneof(
    fc
      .constantFrom("\n", "\n\n", "x", "🐑", "é\n", "\0", "a longer piece of plain text\n")
      .map((text) => Buffer.from(text)),
    fc.uint8Array({ maxLength: 12 }).map((bytes) => Buffer.from(bytes)),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), fc.array(fc.nat(60)), (pieces, cuts) => {
      const bytes = Buffer.concat(pieces);
      const chunks: Buffer[] = [];
      let from = 0;
      for (const cut of [...cuts, bytes.length]) {
        chunks.push(bytes.subarray(from, from + cut));
        from += cut;
      }
      expect(split(chunks, { maxLine: 20 })).toEqual(plainly(bytes, 20));
    }),
    { numRuns: 2000 },
  );
});
