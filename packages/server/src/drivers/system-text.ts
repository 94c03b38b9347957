import { fitSystemText } from "@drover/core";
import type { OpenRequest } from "../ports.ts";

/** The text for the agent's system prompt, for agents that take it as one text. */
export const systemAppend = ({ context, system, instructions }: OpenRequest): string =>
  fitSystemText({ runtime: context ?? "", system, instructionFile: instructions });
