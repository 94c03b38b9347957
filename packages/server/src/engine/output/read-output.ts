import {
  draftOf,
  type EventBody,
  modeRules,
  type NewProposals,
  type ProposalDraft,
  proposalFolder,
  proposalsOfRun,
  type Signal,
  type WorkerMode,
  workerPaths,
} from "@drover/core";
import { newId } from "../ids.ts";
import type { SessionLog } from "../session/log.ts";

/** What a run with a signal has left besides its work. */
export interface Output {
  readonly drafts: readonly ProposalDraft[];
  readonly notices: readonly EventBody[];
  /** Why the run is not done, although its signal says so; a sentence. */
  readonly lacks?: string;
}

/** Reads what a worker proposes. A run that failed proposes nothing, and leaves the proposals of earlier runs alone. */
export async function readOutput(
  { deps, journal }: SessionLog,
  mode: WorkerMode,
  { status }: Signal,
): Promise<Output | undefined> {
  if (status === "error") return undefined;
  const { cwd, state } = journal.row;
  const { files, ignored } = await deps.workers.files.readProposals(cwd, mode);
  const stamp = state.turn ? { turnId: state.turn.id } : {};
  const drafts = files.map(draftOf);
  const notices = ignored.map(
    ({ file, problem }): EventBody => ({
      ...{ type: "notice", ...stamp, code: "OUTPUT_IGNORED", facts: { file } },
      message: `Drover has ignored files in ${file}. ${problem}`,
    }),
  );
  const lacks = status === "done" ? lackOf(drafts, mode) : undefined;
  return { drafts, notices, ...(lacks === undefined ? {} : { lacks }) };
}

function lackOf(drafts: readonly ProposalDraft[], mode: WorkerMode): string | undefined {
  const { needs } = modeRules[mode];
  if (needs === undefined || drafts.some(({ kind, state }) => kind === needs && state === "open"))
    return undefined;
  const bad = drafts.find(({ problem }) => problem !== undefined);
  const why = bad ? ` ${bad.file} cannot be used: ${bad.problem}` : "";
  const folder = `${workerPaths.output}/${proposalFolder(needs)}`;
  return `A worker of the mode ${mode} is done when it has proposed at least one ${needs}, in a Markdown file in ${folder}, and there is none.${why}`;
}

/** What is stored with the end of the run. */
export async function proposalsIn(
  { deps, journal }: SessionLog,
  { drafts, notices }: Output,
): Promise<{ readonly events: readonly EventBody[]; readonly proposals?: NewProposals }> {
  const { id: sessionId, runtime, state } = journal.row;
  const left = proposalsOfRun(drafts, {
    ...{ sessionId, run: runtime.run, now: new Date().toISOString(), newId: () => newId("proposal") },
    earlier: await deps.store.proposals(sessionId),
  });
  if (!left) return { events: notices };
  const stamp = state.turn ? { turnId: state.turn.id } : {};
  return { events: [...notices, { ...left.event, ...stamp }], proposals: left.proposals };
}
