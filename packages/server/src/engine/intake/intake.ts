import {
  type AgentFact,
  commandPaths,
  type DecisionContext,
  deniedCalls,
  editedPaths,
  mayLeadElsewhere,
  Recorder,
  wholePaths,
} from "@drover/core";
import type { AgentBatch } from "../../ports.ts";
import { learnFromBatch } from "../accounts/learn.ts";
import type { SessionLog } from "../session/log.ts";
import { inGitDirectories } from "./git-directories.ts";
import { ownFiles } from "./own-files.ts";
import { directoriesAmong, realPaths } from "./real-paths.ts";
import { recordBatch } from "./record-batch.ts";

/** Records the agent's output. Between batches it remembers which item each speech and each tool call continues. */
export class Intake {
  private readonly log: SessionLog;
  private recorder: Recorder;

  constructor(log: SessionLog) {
    this.log = log;
    this.recorder = new Recorder(log.journal.timeline);
  }

  /**
   * Stores one batch. The driver awaits it, so a full store slows its agent down instead of losing output; between
   * tries the mailbox is free, because reads continue.
   */
  record(batch: AgentBatch): Promise<void> {
    return this.log.untilStored(() => this.recordOnce(batch));
  }

  /** Output from now on no longer belongs to the turn's items. */
  turnEnded(): void {
    this.recorder.endTurn();
  }

  private async recordOnce(received: AgentBatch): Promise<void> {
    const batch = await learnFromBatch(this.log, received);
    const isToolCallUsed = await this.usedToolCalls(batch.facts);
    const places = await this.places(batch.facts);
    const { row, state, timeline } = this.log.journal;
    const before = this.recorder;
    const recorder = before.copy();
    const change = recordBatch(batch, {
      ...{ sessionId: row.id, state, runtime: row.runtime },
      ...{ recorder, decisionContext: { ...this.log.decisionContext(), ...places }, isToolCallUsed },
      denied: deniedCalls(timeline),
      followUps: (attempt, outcome) => this.log.deps.followUps({ sessionId: row.id, attempt, outcome }),
    });
    // Before the commit, which may end the turn.
    this.recorder = recorder;
    try {
      await this.log.commit(change);
    } catch (error) {
      this.recorder = before;
      throw error;
    }
  }

  /** Where the paths of requested edits currently lead. */
  private async places(
    facts: readonly AgentFact[],
  ): Promise<Pick<DecisionContext, "realPath" | "isOutside">> {
    const paths = facts.flatMap((fact) => {
      if (fact.type !== "approval_request") return [];
      return [...commandPaths(fact.input), ...editedPaths(fact)];
    });
    if (paths.length === 0) return {};
    const { configFile } = this.log.deps;
    const { cwd } = this.log.journal.row;
    const real = await realPaths([...paths, configFile], cwd);
    // With too many paths to resolve, a person decides.
    if (!real) return { realPath: () => ".git" };
    const whole = facts.flatMap((fact) => (fact.type === "approval_request" ? wholePaths(fact) : []));
    const directories = await directoriesAmong(whole, real);
    const inGit = await inGitDirectories(real.values());
    const isConfig = (path: string) => real.get(path) === real.get(configFile);
    // The configuration file counts under any name. A directory may contain it, or a repository.
    const isOwn = await ownFiles(cwd, this.log.deps);
    return {
      realPath: (path) => {
        const target = real.get(path) ?? path;
        if (directories.has(path) || inGit.has(target)) return ".git";
        return isConfig(path) ? "drover.yaml" : target;
      },
      isOutside: (path) => mayLeadElsewhere(path) || !isOwn(real.get(path) ?? path),
    };
  }

  private async usedToolCalls(facts: readonly AgentFact[]): Promise<(id: string) => boolean> {
    const fresh = facts.flatMap((fact) => {
      if (!("toolCallId" in fact) || !fact.toolCallId) return [];
      const mayBeNew = fact.type === "tool_start" || !this.recorder.isOpen(fact.toolCallId);
      return mayBeNew ? [fact.toolCallId] : [];
    });
    if (fresh.length === 0) return () => false;
    const { deps, journal } = this.log;
    const used = await deps.store.usedToolCallIds(journal.row.id, [...new Set(fresh)]);
    return (id) => used.has(id);
  }
}
