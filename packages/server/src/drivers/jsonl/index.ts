import type { Capabilities, Preset } from "@drover/core";
import type { Driver } from "../../ports.ts";
import type { LineMapper, MakeMapper } from "../line-mapper.ts";
import { canResume, openForPrompt } from "../prompt-opening.ts";
import { CodexMapper } from "./map-codex.ts";
import { GeminiMapper } from "./map-gemini.ts";
import { OpencodeMapper } from "./map-opencode.ts";
import { RulesMapper } from "./map-rules.ts";
import { JsonLinesReader } from "./reader.ts";

export interface JsonlDriverDeps {
  /** Mappers that live with another driver of the same agent, by the name presets know them by. */
  readonly mappers?: Readonly<Record<string, MakeMapper>>;
  readonly now?: () => number;
  /** Told when a process has ended: kinds of messages nobody here has heard of, and how many of each came. */
  readonly onUnknown?: (agent: string, counts: Readonly<Record<string, number>>) => void;
}

const own: Readonly<Record<string, MakeMapper>> = {
  codex: (preset) => new CodexMapper(preset),
  gemini: (preset) => new GeminiMapper(preset),
  opencode: (preset) => new OpencodeMapper(preset),
};

/** Programs that answer one prompt with lines of JSON. */
export function jsonlDriver(deps: JsonlDriverDeps = {}): Driver {
  const mappers = { ...own, ...deps.mappers };
  const { now = Date.now, onUnknown } = deps;
  return {
    name: "jsonl",
    lifetime: () => "prompt",
    capabilities,
    lacks: ({ modelFlag }) => (modelFlag === undefined ? ["model", "mcpServers"] : ["mcpServers"]),
    replaysTranscript: true,
    open: (request, host) => {
      const { preset } = request;
      const reader = new JsonLinesReader(preset, mapperOf(preset, mappers));
      return openForPrompt({
        request,
        host,
        reader,
        now,
        onUnknown: (counts) => onUnknown?.(preset.agent, counts),
      });
    },
  };
}

function mapperOf(preset: Preset, mappers: Readonly<Record<string, MakeMapper>>): LineMapper {
  if (preset.mapper === undefined) return new RulesMapper(preset);
  const make = mappers[preset.mapper];
  if (make === undefined) throw new Error(`There is no mapper ${preset.mapper}`);
  return make(preset);
}

const capabilities = (preset: Preset): Capabilities => ({
  approvals: "none",
  amend: false,
  denyReason: false,
  steer: false,
  resume: canResume(preset),
  fork: false,
  freshContext: true,
  reattach: true,
  completion: "event",
});
