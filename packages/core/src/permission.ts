import { z } from "zod";
import type { PermissionMode } from "./agent.ts";
import {
  decidesWhatRuns,
  type Edit,
  editedPaths,
  isEdit,
  isReading,
  namesFile,
  showsEdit,
  wholePaths,
} from "./edited-paths.ts";
import { isCommand } from "./grant-words.ts";
import { editsByItsKeys, readsByItsKeys } from "./input-keys.ts";
import type { Scope } from "./interaction.ts";
import { commandPaths, onlyReads, programOf } from "./program.ts";
import { type ToolKind, toolKindSchema } from "./tool-kind.ts";
import { modeRules, type WorkerPlace, workerPaths } from "./worker/mode.ts";

/**
 * A permission a person gave for the rest of a session: a tool with the kind it had then, and for commands what
 * `programOf` names.
 */
export const grantSchema = z.object({
  toolName: z.string(),
  kind: toolKindSchema.optional(),
  program: z.string().optional(),
});
export type Grant = z.infer<typeof grantSchema>;

export interface PermissionAsk extends Edit {
  readonly toolName: string;
  /** Only a person can answer: there is more than one yes, or the agent would remember it. */
  readonly needsPerson?: boolean;
  /** Where the session works. */
  readonly cwd?: string;
  /** Where a path in an edit actually leads; the path itself if unknown. */
  readonly realPath?: (path: string) => string;
  /** Whether a path leads out of what the session works on. */
  readonly isOutside?: (path: string) => boolean;
  readonly worker?: WorkerPlace;
}

export type Verdict = { verdict: "ask" } | { verdict: "allow" | "deny"; rule: string; reason?: string };

const changingKinds: readonly ToolKind[] = ["edit", "delete", "move", "execute"];

/** Drover's own permission host: decides by mode and by the session's grants; otherwise a person is asked. */
export function permissionVerdict(
  request: PermissionAsk,
  mode: PermissionMode,
  grants: readonly Grant[],
): Verdict {
  const ask = { ...request, toolKind: kindOf(request) };
  const ruled = verdictOnReader(ask);
  if (ruled) return ruled;
  if (mode === "plan" && changingKinds.includes(ask.toolKind)) {
    return { verdict: "deny", rule: "mode-plan", reason: "The session is in plan mode, which is read only" };
  }
  if (ask.needsPerson) return { verdict: "ask" };
  if (mode === "plan" && onlyLooks(ask)) return { verdict: "allow", rule: "mode-plan" };
  if (editsWhatRuns(request)) return { verdict: "ask" };
  if (onlyEditsOutput(ask)) return { verdict: "allow", rule: "worker-output" };
  if (mode === "never") return { verdict: "allow", rule: "mode-never" };
  if (mode === "acceptEdits" && (onlyEdits(ask) || onlyLooks(ask))) {
    return { verdict: "allow", rule: "mode-acceptEdits" };
  }
  const wanted = grantFor(request);
  const granted = wanted && grants.some((grant) => covers(grant, wanted));
  return granted ? { verdict: "allow", rule: "session-scope" } : { verdict: "ask" };
}

/** A worker that only writes its output may read; whatever else would change something is denied. */
function verdictOnReader(ask: PermissionAsk): Verdict | undefined {
  const { worker, needsPerson } = ask;
  if (!worker || modeRules[worker.mode].changesFiles) return undefined;
  const isOwn = !needsPerson && !editsWhatRuns(ask);
  if (isOwn && onlyEditsOutput(ask)) return { verdict: "allow", rule: "worker-output" };
  const looks = ask.toolKind === "execute" ? isCommand(ask) && onlyReads(ask.input, ask.cwd) : onlyLooks(ask);
  if (isOwn && looks) return { verdict: "allow", rule: "worker-mode" };
  if (changingKinds.includes(ask.toolKind)) {
    const reason = `A worker of the mode ${worker.mode} reads files and writes only below ${workerPaths.output}; write what you propose there, with your tool for writing files`;
    return { verdict: "deny", rule: "worker-mode", reason };
  }
  return undefined;
}

/** A worker need not ask for that. Links are followed: an edit that leaves the directory is none of its output. */
function onlyEditsOutput(ask: PermissionAsk): boolean {
  const { worker, realPath = (path) => path } = ask;
  if (!worker || !onlyEdits(ask)) return false;
  const paths = wholePaths(ask);
  return paths.length > 0 && paths.every((path) => realPath(path).startsWith(`${worker.outputDirectory}/`));
}

const covers = (grant: Grant, wanted: Grant): boolean =>
  grant.toolName === wanted.toolName && grant.kind === wanted.kind && grant.program === wanted.program;

/**
 * Git runs programs it finds below `.git`, Drover those that `drover.yaml` names: only a person approves such an edit,
 * once. An edit that names no file may be such an edit.
 */
const editsWhatRuns = (ask: PermissionAsk): boolean =>
  leadsToWhatRuns(editedPaths(ask), ask) || (isEdit(ask.toolKind) && !namesFile(ask));

const leadsToWhatRuns = (paths: readonly string[], { realPath = (path) => path }: PermissionAsk): boolean =>
  paths.some((path) => decidesWhatRuns(path) || decidesWhatRuns(realPath(path)));

/** Whether a call has a reading kind and, as far as its input shows, does nothing else. */
const onlyLooks = (ask: PermissionAsk): boolean =>
  isReading(ask.toolKind) && (isCommand(ask) ? onlyReads(ask.input, ask.cwd) : readsByItsKeys(ask.input));

/** The same for an edit, of files that the session works on. */
const onlyEdits = (ask: PermissionAsk): boolean =>
  ask.toolKind === "edit" && editsByItsKeys(ask.input) && !leavesOwnFiles(ask);

const leavesOwnFiles = (ask: PermissionAsk): boolean =>
  editedPaths(ask).some((path) => ask.isOutside?.(path) === true);

/** The kind that decides: what the call visibly does (a command, a change) overrides what its agent claims. */
function kindOf(ask: PermissionAsk): ToolKind {
  if (ask.toolKind === "plan") return "plan";
  if (isCommand(ask) && !onlyReads(ask.input, ask.cwd)) return "execute";
  return showsEdit(ask) && !isEdit(ask.toolKind) ? "edit" : ask.toolKind;
}

/** How far an approval of this may reach. */
export const scopesOf = (ask: PermissionAsk): Scope[] => (grantFor(ask) ? ["once", "session"] : ["once"]);

/**
 * What approving this for the session would remember; nothing for a plan, which is approved for its content, for an
 * edit of what runs later or of files that are not the session's own, nor for a command that could run more than the
 * grant would name.
 */
export function grantFor(ask: PermissionAsk): Grant | undefined {
  const { toolName, toolKind } = ask;
  if (toolKind === "plan" || editsWhatRuns(ask)) return undefined;
  // Approving an edit must not grant a tool that claims to do something else.
  if (showsEdit(ask) && !isEdit(toolKind)) return undefined;
  if (isReading(toolKind) && !isCommand(ask) && !readsByItsKeys(ask.input)) return undefined;
  // What is approved in the session's own files says nothing about others.
  if (isEdit(toolKind) && leavesOwnFiles(ask)) return undefined;
  if (isEdit(toolKind) && !isCommand(ask) && !editsByItsKeys(ask.input)) return undefined;
  if (isCommand(ask)) {
    const program = leadsToWhatRuns(commandPaths(ask.input), ask) ? undefined : programOf(ask.input);
    return program ? { toolName, program } : undefined;
  }
  // Agents that do not name a tool send its kind instead. Outside these kinds it could be any tool.
  return toolName === toolKind && !fileKinds.includes(toolKind) ? undefined : { toolName, kind: toolKind };
}

const fileKinds: readonly ToolKind[] = ["read", "search", "edit", "delete", "move"];
