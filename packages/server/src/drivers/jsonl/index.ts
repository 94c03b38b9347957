import { type Capabilities, canBeGated, isHeldByMode, type Preset } from "@drover/core";
import type { Driver } from "../../ports.ts";
import type { LineMapper, MakeMapper } from "../line-mapper.ts";
import { canResume, openForPrompt, promptLacks, refusePrompt } from "../prompt-opening.ts";
import { LimitRules } from "./limit-rules.ts";
import { CodexMapper } from "./map-codex.ts";
import { GeminiMapper } from "./map-gemini.ts";
import { OpencodeMapper } from "./map-opencode.ts";
import { RulesMapper } from "./map-rules.ts";
import { JsonLinesReader } from "./reader.ts";
import { openStateful } from "./stateful.ts";

export interface JsonlDriverDeps {
  /** Mappers that live with another driver of the same agent, by the name presets use. */
  readonly mappers?: Readonly<Record<string, MakeMapper>>;
  readonly now?: () => number;
  /** Called when a process has ended, with the unknown kinds of messages and their counts. */
  readonly onUnknown?: (agent: string, counts: Readonly<Record<string, number>>) => void;
}

const own: Readonly<Record<string, MakeMapper>> = {
  codex: (preset) => new CodexMapper(preset),
  gemini: (preset) => new GeminiMapper(preset),
  opencode: (preset) => new OpencodeMapper(preset),
};

/** Programs that answer a prompt with lines of JSON: one process per prompt, unless they are stateful. */
export function jsonlDriver(deps: JsonlDriverDeps = {}): Driver {
  const mappers = { ...own, ...deps.mappers };
  const { now = Date.now, onUnknown } = deps;
  return {
    name: "jsonl",
    lifetime: ({ stateful }) => (stateful ? "session" : "prompt"),
    capabilities,
    lacks: promptLacks,
    refusesPrompt: refusePrompt,
    open: (request, host) => {
      const { preset } = request;
      const reader = new JsonLinesReader(preset, mapperOf(preset, mappers));
      if (preset.stateful) return openStateful({ request, host, reader, now });
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
  return preset.limit ? new LimitRules(preset, knownMapper(preset, mappers)) : knownMapper(preset, mappers);
}

function knownMapper(preset: Preset, mappers: Readonly<Record<string, MakeMapper>>): LineMapper {
  if (preset.mapper === undefined) return new RulesMapper(preset);
  const make = mappers[preset.mapper];
  if (make === undefined) throw new Error(`Unknown mapper: ${preset.mapper}`);
  return make(preset);
}

const capabilities = (preset: Preset): Capabilities => ({
  approvals: canBeGated(preset) ? "gate" : "none",
  amend: false,
  denyReason: false,
  steer: false,
  images: false,
  resume: canResume(preset),
  fork: false,
  freshContext: preset.stateful !== true,
  systemText: preset.systemFlag === undefined ? "prompt" : "system",
  reattach: true,
  heldByMode: isHeldByMode(preset),
  completion: preset.done === "exit" ? "exit" : "event",
});
