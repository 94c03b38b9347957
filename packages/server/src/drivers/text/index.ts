import { type Capabilities, canBeGated, isHeldByMode, type Preset } from "@drover/core";
import type { Driver } from "../../ports.ts";
import { openForPrompt, promptLacks, refusePrompt } from "../prompt-opening.ts";
import { TextReader } from "./reader.ts";

const capabilities = (preset: Preset): Capabilities => ({
  approvals: canBeGated(preset) ? "gate" : "none",
  amend: false,
  denyReason: false,
  steer: false,
  images: false,
  resume: false,
  fork: false,
  freshContext: true,
  systemText: preset.systemFlag === undefined ? "prompt" : "system",
  reattach: true,
  heldByMode: isHeldByMode(preset),
  completion: "exit",
});

/** Programs that answer one prompt in plain text. They have no events: exit 0 is success. */
export function textDriver(deps: { readonly now?: () => number } = {}): Driver {
  const { now = Date.now } = deps;
  return {
    name: "text",
    lifetime: () => "prompt",
    capabilities,
    lacks: promptLacks,
    refusesPrompt: refusePrompt,
    open: (request, host) =>
      openForPrompt({ request, host, reader: new TextReader(request.preset.name), now }),
  };
}
