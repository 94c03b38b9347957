// What a behaviour is, and whose it is.
import type { Scene } from "./stage.ts";
import type { Subject } from "./subjects.ts";

export interface Behaviour {
  /** Begins with the acceptance cases it shows. */
  title: string;
  play(scene: Scene): Promise<void>;
  /** Whose behaviour it is; everyone's, when it does not say. */
  of?: Of | undefined;
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
  (wanted: string): Of =>
  ({ name }) =>
    name === wanted;
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
export const isQuick: Of = ({ isSlow }) => !isSlow;
export const isCommandLine: Of = ({ commandLine }) => commandLine !== undefined;

export const behaviour = (title: string, play: Behaviour["play"], of?: Of): Behaviour => ({
  title,
  play,
  of,
});
/** Not every agent that speaks ACP heeds the system text it is given. */
export const takesSystemText: Of = ({ name }) => ["claude", "claude-agent-acp"].includes(name);
