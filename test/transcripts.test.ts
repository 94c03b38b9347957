import { readdir, readFile } from "node:fs/promises";
import { homedir, hostname, tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { redactor } from "./conformance/record-redact.ts";

interface Index {
  agent: string;
  version: string;
  scenes: { name: string; argv: string[] }[];
}

const transcripts = join(import.meta.dirname, "transcripts");
const found = (await readdir(transcripts, { recursive: true })).filter((path) => /\.jsonl?$/.test(path));

/** Anything that reveals where a transcript was recorded, on this machine or another. */
const revealing = [
  /(?<!\/home\/user)\/tmp\b/,
  /-tmp-/,
  /\/root\b/,
  /\/home\/(?!user\b)/,
  /\/Users\//,
  /\.cache/,
  /127\.0\.0\.1:(?!8000\b|9\b)/,
  /localhost:/,
  /made-up-key/,
];
const own = [homedir(), tmpdir(), hostname()];

test("there are transcripts of every recorded command line", () => {
  const agents = new Set(found.map((path) => dirname(path).replace(/-[\d.]+$/, "")));
  expect([...agents]).toEqual(expect.arrayContaining(["claude-print", "codex", "gemini", "opencode"]));
});

describe.for(found)("%s", (path) => {
  test("contains nothing about the machine it was recorded on", async () => {
    const text = await readFile(join(transcripts, path), "utf8");
    expect(revealing.filter((pattern) => pattern.test(text))).toEqual([]);
    expect(own.filter((name) => text.includes(name))).toEqual([]);
    expect(text.length).toBeLessThan(60_000);
  });
});

test.for(found.filter((path) => path.endsWith("index.json")))(
  "%s lists the scenes next to it",
  async (path) => {
    const { agent, version, scenes } = JSON.parse(await readFile(join(transcripts, path), "utf8")) as Index;
    expect(dirname(path)).toBe(`${agent}-${version}`);
    const beside = found.filter((other) => dirname(other) === dirname(path) && other.endsWith(".jsonl"));
    const names = scenes.map(({ name }) => name);
    expect(beside.map((other) => basename(other, ".jsonl")).sort()).toEqual(names.toSorted());
  },
);

test.for(found.filter((path) => path.endsWith(".jsonl")))(
  "%s consists of complete lines of JSON",
  async (path) => {
    const lines = (await readFile(join(transcripts, path), "utf8")).split("\n");
    expect(lines.at(-1)).toBe("");
    for (const line of lines.slice(0, -1)) expect(JSON.parse(line)).toBeTypeOf("object");
  },
);

test("a redacted line has other paths, however they are written", () => {
  const redact = redactor({
    directories: { "/var/run-1": "/home/user", "/var/run-1/bin": "/opt/agents" },
    port: "45678",
    keys: ["made-up-key"],
  });
  expect(redact('{"cwd":"/var/run-1/project","bin":"/var/run-1/bin/x"}')).toBe(
    '{"cwd":"/home/user/project","bin":"/opt/agents/x"}',
  );
  expect(redact("var/run-1/a projects/-var-run-1-project")).toBe("home/user/a projects/-home-user-project");
  expect(redact("http://127.0.0.1:45678/v1 made-up-key 45678")).toBe("http://127.0.0.1:8000/v1 KEY 45678");
});
