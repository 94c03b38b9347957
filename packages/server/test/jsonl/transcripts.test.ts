// How Drover interprets the recordings of the real command lines.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { AgentFact, DoneReason, FaultCode, Preset, Retry } from "@drover/core";
import { describe, expect, test } from "vitest";
import { ClaudePrintMapper } from "../../src/drivers/claude/map-print.ts";
import { CodexMapper } from "../../src/drivers/jsonl/map-codex.ts";
import { GeminiMapper } from "../../src/drivers/jsonl/map-gemini.ts";
import { OpencodeMapper } from "../../src/drivers/jsonl/map-opencode.ts";
import { JsonLinesReader } from "../../src/drivers/jsonl/reader.ts";
import type { MakeMapper } from "../../src/drivers/line-mapper.ts";
import { shippedPresets } from "../../src/drivers/presets.ts";
import { linesOf } from "./support.ts";

const directory = join(import.meta.dirname, "../../../../test/transcripts");
const presets = shippedPresets(import.meta.dirname);
const NOW = Date.parse("2026-11-15T12:00:00Z");

interface Scene {
  readonly name: string;
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly stderr?: string;
  /** It kept retrying until the recorder ended it, so its output has no failure yet. */
  readonly isEndless?: boolean;
}

interface Index {
  readonly agent: string;
  readonly scenes: readonly Scene[];
}

const makers: Readonly<Record<string, MakeMapper>> = {
  "claude-print": (preset) => new ClaudePrintMapper(preset),
  codex: (preset) => new CodexMapper(preset),
  gemini: (preset) => new GeminiMapper(preset),
  opencode: (preset) => new OpencodeMapper(preset),
};

interface Understood {
  readonly facts: readonly AgentFact[];
  readonly reason: DoneReason;
  readonly code: FaultCode | undefined;
  readonly retry: Retry | undefined;
  readonly message: string;
  readonly unknown: readonly string[];
}

function understand(folder: string, { agent }: Index, scene: Scene): Understood {
  const shipped = presets.find((one) => one.agent === agent) ?? expect.fail(`${agent} is not shipped`);
  const preset: Preset = { ...shipped, name: "Kit" };
  const reader = new JsonLinesReader(
    preset,
    makers[agent]?.(preset) ?? expect.fail(`no mapper for ${agent}`),
  );
  const facts = reader.read(
    linesOf(readFileSync(join(directory, folder, `${scene.name}.jsonl`), "utf8")),
    NOW,
  );
  const { exitCode, signal, stderr = "" } = scene;
  const { reason, fault } = reader.conclude({ code: exitCode, signal, stderrTail: stderr }, NOW);
  const unknown = [...reader.unknown.keys()];
  return { facts, reason, code: fault?.code, retry: fault?.retry, message: fault?.message ?? "", unknown };
}

const textOf = (facts: readonly AgentFact[]): string =>
  facts.flatMap((fact) => (fact.type === "text" && !fact.parent ? [fact.text] : [])).join("");
const results = (facts: readonly AgentFact[]) => facts.filter(({ type }) => type === "tool_result");

describe.for(readdirSync(directory).filter((name) => /^(claude-print|codex|gemini|opencode)-/.test(name)))(
  "%s",
  (folder) => {
    const index = JSON.parse(readFileSync(join(directory, folder, "index.json"), "utf8")) as Index;
    const scene = (name: string): Understood => {
      const found = index.scenes.find((one) => one.name === name);
      return understand(folder, index, found ?? expect.fail(`${folder} has no scene ${name}`));
    };
    const isEndless = (name: string): boolean =>
      index.scenes.some((one) => one.name === name && one.isEndless === true);

    test("every kind of line is known", () => {
      expect(index.scenes.flatMap(({ name }) => scene(name).unknown)).toEqual([]);
    });

    test("an answer is its text, once, and the turn's end", () => {
      const { facts, reason, code } = scene("answer");
      expect(textOf(facts)).toBe("The robin sings. Das Rotkehlchen singt 🐦.");
      expect({ reason, code }).toEqual({ reason: "end_turn", code: undefined });
      expect(textOf(scene("resumed").facts)).toBe("It still sings.");
    });

    test("a command is a call with its input and output, between the texts before and after", () => {
      const { facts, reason } = scene("command");
      expect(reason).toBe("end_turn");
      const work = facts.filter(({ type }) =>
        ["text", "tool_start", "tool_ready", "tool_result"].includes(type),
      );
      expect(work.map(({ type }) => type)).toEqual([
        "text",
        "tool_start",
        "tool_ready",
        "tool_result",
        "text",
      ]);
      expect(facts).toContainEqual(expect.objectContaining({ type: "tool_start", kind: "execute" }));
      const [result] = results(facts);
      expect(result).toMatchObject({
        status: "complete",
        result: { text: expect.stringMatching(/^one\ntwo/) },
      });
      expect(textOf(facts)).toBe("I look.Done.");
    });

    test("an edit is a call of its kind", () => {
      const { facts, reason } = scene("edit");
      expect(reason).toBe("end_turn");
      expect(facts).toContainEqual(expect.objectContaining({ type: "tool_start", kind: "edit" }));
      expect(results(facts)).toMatchObject([{ status: "complete" }]);
    });

    test("S10 parallel calls keep their ids", () => {
      const { facts } = scene("parallel");
      const starts = facts.filter((fact) => fact.type === "tool_start");
      expect(new Set(starts.map(({ toolCallId }) => toolCallId)).size).toBe(2);
      for (const word of ["fox", "owl"]) {
        const ready = facts.find(
          (fact) => fact.type === "tool_ready" && JSON.stringify(fact.input).includes(word),
        );
        const result = results(facts).find((fact) => JSON.stringify(fact).includes(`"text":"${word}`));
        expect(result).toMatchObject({ toolCallId: (ready as { toolCallId: string }).toolCallId });
      }
    });

    test("K5 an answer that mentions errors and limits is an answer", () => {
      const { facts, reason, code } = scene("speaks-of-errors");
      expect(textOf(facts)).toContain("429");
      expect({ reason, code }).toEqual({ reason: "end_turn", code: undefined });
    });

    test("an unknown conversation is reported as such", () => {
      const { code, message } = scene("unknown-conversation");
      expect(code).toBe("RESUME_UNKNOWN");
      expect(message).toContain("Kit no longer knows this conversation.");
    });

    test("a turn that was cut off has not succeeded", () => {
      expect(scene("terminated").code).toMatch(/^(AGENT_CRASHED|NO_COMPLETION)$/);
    });

    const failures: [string, FaultCode, DoneReason, Retry, RegExp][] = [
      ["auth", "AUTH_FAILED", "auth", "never", /Log in to Kit or set its key, then send it again\.$/],
      ["failed-after-tool", "AUTH_FAILED", "auth", "never", /then send it again\.$/],
      ["rate-limit", "RATE_LIMITED", "usage_limit", { afterMs: 60_000 }, /Send it again in 60 s\.$/],
      ["overloaded", "OVERLOADED", "error", "same", /try again/],
      ["dropped", "NETWORK", "error", "same", /Check the connection, then send it again\.$/],
      ["dropped-midway", "NETWORK", "error", "same", /Check the connection, then send it again\.$/],
      ["refused", "NETWORK", "error", "same", /Check the connection, then send it again\.$/],
    ];
    test.for(failures.filter(([name]) => !isEndless(name)))(
      "%s is %s",
      ([name, code, reason, retry, words]) => {
        const result = scene(name);
        expect(result).toMatchObject({ code, reason, retry });
        expect(result.message).toMatch(words);
      },
    );
  },
);
