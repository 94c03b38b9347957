// What a behaviour is, and which agents it applies to.
import type { Scene } from "./stage.ts";
import type { Subject } from "./subjects.ts";

export interface Behaviour {
  /** Begins with the ids of the acceptance cases it covers. */
  title: string;
  play(scene: Scene): Promise<void>;
  /** The agents it applies to; all of them by default. */
  of?: Of | undefined;
  /** The agents that mostly wait in this check. For them it runs beside the others, on its own server. */
  waits?: Of;
}

export type Of = (subject: Subject) => boolean;

export const takes =
  (step: Subject["lacks"][number]): Of =>
  ({ lacks }) =>
    !lacks.includes(step);
export const can =
  (capability: "amend" | "denyReason" | "freshContext" | "resume" | "steer"): Of =>
  ({ capabilities }) =>
    capabilities[capability];
export const is =
  (expected: string): Of =>
  ({ name }) =>
    name === expected;
export const not =
  (of: Of): Of =>
  (subject) =>
    !of(subject);
export const all =
  (...these: Of[]): Of =>
  (subject) =>
    these.every((of) => of(subject));
export const asks: Of = ({ capabilities }) => capabilities.approvals === "live";
export const isLimited: Of = ({ limit }) => limit !== undefined;
export const hasModel: Of = ({ dialect }) => dialect !== undefined;
export const isSlow: Of = (subject) => subject.isSlow === true;
export const isQuick: Of = not(isSlow);
export const isCommandLine: Of = ({ commandLine }) => commandLine !== undefined;

export const behaviour = (title: string, play: Behaviour["play"], of?: Of): Behaviour => ({
  title,
  play,
  of,
});
/** Not every agent that speaks ACP follows its system text. */
export const takesSystemText: Of = ({ name }) => ["claude", "claude-agent-acp"].includes(name);
