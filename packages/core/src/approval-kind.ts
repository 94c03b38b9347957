import type { Interaction } from "./interaction.ts";
import type { ApprovalKind, ToolKind } from "./tool-kind.ts";

/** It approves what a turn has changed, after its end. */
export const isChangeGate = ({ toolKind }: Pick<Interaction, "toolKind">): boolean => toolKind === "changes";

/** The kind of the call, if the approval is about one. */
export const callKind = (kind: ApprovalKind | undefined): ToolKind =>
  kind === undefined || kind === "changes" ? "other" : kind;
