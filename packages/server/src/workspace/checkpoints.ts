import { realpath } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { dirname } from "node:path";
import { type ChangedFile, ok, pathBytes, pathText, reject } from "@drover/core";
import { abortable } from "../git/abortable.ts";
import { takeCheckpoint } from "../git/checkpoint.ts";
import { type CheckpointPlace, checkpointRepository, openStored } from "../git/checkpoint-directory.ts";
import { findTop } from "../git/find-top.ts";
import type { ObjectWriter } from "../git/object-writer.ts";
import { readRefs, updateRefs } from "../git/refs.ts";
import { commitAt } from "../git/worktree.ts";
import {
  CheckpointError,
  type CheckpointedSession,
  type CheckpointPair,
  type Checkpoints,
} from "../ports.ts";
import { Semaphore } from "../process/semaphore.ts";
import { returnTo } from "./checkpoint-return.ts";
import { DIFF_ARGS, DIFF_SETTINGS, PATCH_ARGS, parseChanges } from "./compare.ts";
import { continueFrom, type WorkspaceDeps } from "./comparison.ts";
import { discard, unstage } from "./discard.ts";
import { linesBetween } from "./file-lines.ts";
import { GitTimeout, Patience } from "./patience.ts";
import { revert } from "./revert.ts";

export interface CheckpointDeps {
  readonly git: WorkspaceDeps;
  /** Larger files are skipped. */
  readonly maxFile: () => number;
  readonly directory: (sessionId: string) => string;
  /** How many checkpoints are taken at once, over all sessions; by default about as many as there are processors. */
  readonly atOnce?: number;
  /** The top of the repository that contains a directory, unless it is the user's home, above it, or out of bounds. */
  readonly repositoryTop: (cwd: string) => Promise<string | undefined>;
}

/** How many checkpoints are taken at once: more would only make each of them slower. */
const maxTaken = Math.max(4, availableParallelism());

export function gitCheckpoints(deps: CheckpointDeps): Checkpoints {
  const { environment } = deps.git;
  // Waiting counts towards the time of a checkpoint: a turn never waits longer than that.
  const slots = new Semaphore(deps.atOnce ?? maxTaken);

  /** Where a session's checkpoints are; its working tree may be gone. */
  async function stored({ sessionId }: CheckpointedSession, { signal }: Patience): Promise<CheckpointPlace> {
    const directory = deps.directory(sessionId);
    const repository = await checkpointRepository(directory);
    if (!repository) throw new Error("The session has no checkpoints");
    return { directory, top: repository.top, environment, signal };
  }

  /** Turns every failure into a `CheckpointError`. */
  async function bounded<T>(limitMs: number, look: (patience: Patience) => Promise<T>): Promise<T> {
    using patience = new Patience(limitMs);
    const { signal } = patience;
    const aborted = Promise.withResolvers<never>();
    signal.addEventListener("abort", () => aborted.reject(signal.reason), { once: true });
    try {
      // A file system may never respond.
      return await Promise.race([look(patience), aborted.promise]);
    } catch (error) {
      throw checkpointError(error, limitMs);
    }
  }
  const looking = <T>(look: (patience: Patience) => Promise<T>) => bounded(deps.git.gitTimeoutMs, look);

  const refsBelow = (session: CheckpointedSession, prefix: string) =>
    looking(async ({ signal }) => {
      const repository = await checkpointRepository(deps.directory(session.sessionId));
      return repository ? readRefs(repository, prefix, { environment, signal }) : new Map<string, string>();
    });

  const take: Checkpoints["take"] = ({ sessionId, cwd }, limitMs) =>
    bounded(limitMs, async ({ signal }) => {
      // It may have become a link to somewhere else.
      if ((await realpath(cwd).catch(() => undefined)) !== cwd) return undefined;
      const top = await deps.repositoryTop(cwd);
      // The tour is its own top, and no repository.
      if (top === undefined || (await findTop(top)) !== top) return undefined;
      const place = { directory: deps.directory(sessionId), top, environment, signal };
      const taking = () => takeCheckpoint({ ...place, maxFile: deps.maxFile() });
      // A file system that never responds doesn't keep its slot.
      const taken = await slots.run(() => abortable(taking(), signal), signal);
      return { ...taken, skipped: taken.skipped.map((one) => ({ ...one, path: pathText(one.path) })) };
    });

  /** Turn ids sort by time, and so do their refs; `after` comes before `before`. */
  async function lastOf(session: CheckpointedSession): Promise<string | undefined> {
    const refs = [...(await refsBelow(session, `refs/drover/${session.sessionId}/`))];
    const [lastRef = ""] = refs.at(-1) ?? [];
    return refs.find(([ref]) => dirname(ref) === dirname(lastRef))?.[1];
  }

  return {
    take,

    keep: (session, turnId, { before, after }) =>
      looking(async ({ signal }) => {
        const repository = await checkpointRepository(deps.directory(session.sessionId));
        if (!repository) return;
        const changes = Object.entries({ before, after }).flatMap(([when, to]) =>
          to === undefined ? [] : [{ ref: refOf(session, turnId, when), to }],
        );
        const isKept = await updateRefs(repository, changes, { environment, signal });
        if (!isKept) throw new Error(`git could not write refs/drover in ${repository.top}`);
      }),

    async ofTurn(session, turnId) {
      const refs = await refsBelow(session, refOf(session, turnId, ""));
      return {
        before: refs.get(refOf(session, turnId, "before")),
        after: refs.get(refOf(session, turnId, "after")),
      };
    },

    headAt: ({ sessionId }, at) =>
      looking(async ({ signal }) => {
        const tree = await checkpointRepository(deps.directory(sessionId));
        return tree && commitAt(tree, at === undefined ? undefined : new Date(at), { environment, signal });
      }),

    async first(session) {
      // Turn ids sort by time, and so do their refs.
      const refs = await refsBelow(session, `refs/drover/${session.sessionId}/`);
      return [...refs].find(([ref]) => ref.endsWith("/before"))?.[1];
    },

    async compare(session, { before, after }) {
      if (before === after) return [];
      return looking(async (patience) => {
        const { writer } = await openStored(await stored(session, patience));
        return (await changedBetween(writer, { before, after })).map(asText).sort(byPath);
      });
    },

    async diff(session, { before, after, path }) {
      if (path !== undefined && !isBelowTop(path)) return outsideTop(path);
      const stack = new AsyncDisposableStack();
      const limitMs = deps.git.gitTimeoutMs;
      try {
        const patience = stack.use(new Patience(limitMs));
        const { writer } = await openStored(await stored(session, patience));
        const paths = path === undefined ? [] : [Buffer.from(pathBytes(path), "latin1")];
        const args = [...DIFF_SETTINGS, ...DIFF_ARGS, ...PATCH_ARGS, before, after];
        const output = writer.stream({ args, paths });
        stack.defer(() => void output.return(null));
        return ok(continueFrom(await output.next(), output, { patience, stack }));
      } catch (error) {
        await stack.disposeAsync();
        throw checkpointError(error, limitMs);
      }
    },

    async fileLines(session, { range, ...pair }) {
      if (!isBelowTop(range.path)) return outsideTop(range.path);
      return looking(async (patience) => {
        const { writer } = await openStored(await stored(session, patience));
        return linesBetween(writer, pair, { changed: await changedBetween(writer, pair), range });
      });
    },

    async returnToLast(session, limitMs) {
      const last = await lastOf(session);
      const now = last === undefined ? undefined : await take(session, limitMs);
      if (last === undefined || now === undefined) return undefined;
      return bounded(limitMs, async (patience) => {
        const tree = await checkpointRepository(deps.directory(session.sessionId));
        const returned = tree && (await returnTo(await stored(session, patience), { tree, last, now }));
        if (returned && !returned.ok) throw new Error(returned.error.message);
        return returned?.value.files ?? [];
      });
    },

    revert: (session, request) =>
      looking(async (patience) => revert(await stored(session, patience), request)),

    discard: (session, request) =>
      looking(async (patience) => {
        const { scratch } = deps.git;
        return discard({ ...(await stored(session, patience)), cwd: session.cwd, scratch }, request);
      }),

    unstage: (session, pair) =>
      looking(async (patience) => {
        const { scratch } = deps.git;
        await unstage({ ...(await stored(session, patience)), cwd: session.cwd, scratch }, pair);
      }),
  };
}

function checkpointError(error: unknown, limitMs: number): CheckpointError {
  if (error instanceof GitTimeout)
    return new CheckpointError("timeout", `git took longer than ${limitMs} ms`);
  return new CheckpointError("failed", error instanceof Error ? error.message : String(error));
}

/** The files that differ between two commits; their paths are bytes in Latin 1. */
async function changedBetween(
  writer: ObjectWriter,
  { before, after }: CheckpointPair,
): Promise<ChangedFile[]> {
  const args = [...DIFF_SETTINGS, ...DIFF_ARGS, "--raw", "--numstat", "-z", before, after];
  return parseChanges((await writer.run({ args })).toString("latin1"));
}

const isBelowTop = (path: string): boolean =>
  !path.includes("\0") && !path.startsWith("/") && !path.split("/").includes("..");

const outsideTop = (path: string) =>
  reject(
    "OUTSIDE_BOUNDARY",
    `${path.replaceAll("\0", "\\0")} is not a path below the top of the repository; name a file relative to it`,
  );

const refOf = ({ sessionId }: CheckpointedSession, turnId: string, when: string): string =>
  `refs/drover/${sessionId}/${turnId}/${when}`;

const asText = (file: ChangedFile): ChangedFile => ({
  ...file,
  path: pathText(file.path),
  ...(file.from === undefined ? {} : { from: pathText(file.from) }),
});

const byPath = (a: ChangedFile, b: ChangedFile): number => (a.path < b.path ? -1 : 1);
