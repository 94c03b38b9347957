import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { Fault } from "@drover/core";
import type { AgentPlace, Conversations } from "../../ports.ts";
import { MARK } from "../../process/environment.ts";
import { Semaphore } from "../../process/semaphore.ts";
import { ownProgram } from "../own-program.ts";
import type { ConversationsAnswers, ConversationsRequest } from "./conversations-program.ts";
import { agentMissing, findSdk } from "./sdk.ts";

export interface ConversationsDeps {
  readonly sdkDirectories: readonly string[];
  /** The directory of our own programs: sources or bundle. */
  readonly programs: string;
}

/** Listing thousands of conversations takes less than a second; anything this slow hangs on a file system. */
const TIMEOUT_MS = 20_000;

/** Far larger than any conversation; anything above does not belong in the server's memory. */
const MAX_ANSWER = 256 * 1024 * 1024;

/** Each one is a Node.js process with the whole SDK in it, so they are limited. */
const AT_ONCE = 2;

const run = promisify(execFile);

type Query = ConversationsRequest extends infer R ? (R extends unknown ? Omit<R, "sdk"> : never) : never;

export function claudeConversations({ sdkDirectories, programs }: ConversationsDeps): Conversations {
  const places = new Semaphore(AT_ONCE);

  async function ask<W extends Query>(
    { preset, env }: Pick<AgentPlace, "preset" | "env">,
    query: W,
  ): Promise<ConversationsAnswers[W["want"]]> {
    const found = findSdk(sdkDirectories);
    if (!found) throw agentMissing(preset.name);
    const request = JSON.stringify({ ...query, sdk: found.file });
    // It does not belong to a session's agent and must not be ended as if it did.
    const { [MARK]: _, ...environment } = env;
    const program = ownProgram(programs, "drivers/claude/conversations-program");
    const limits = { timeout: TIMEOUT_MS, killSignal: "SIGKILL", maxBuffer: MAX_ANSWER } as const;
    try {
      const options = { ...limits, cwd: "/", env: environment };
      const { stdout } = await places.run(() => run(process.execPath, [...program, request], options));
      return JSON.parse(stdout) as ConversationsAnswers[W["want"]];
    } catch (error) {
      throw new Fault("AGENT_UNREACHABLE", `Could not read the conversations of ${preset.name}`, {
        facts: { cause: String(error).slice(-2000) },
      });
    }
  }

  return {
    list: ({ cwd, ...place }) => ask(place, { want: "list", ...(cwd === undefined ? {} : { dir: cwd }) }),
    history: async (place, id) => (await ask(place, { want: "history", dir: place.cwd, id })) ?? undefined,
    fork: async (place, { agentSessionId: id, title, upTo }) =>
      (await ask(place, {
        want: "fork",
        dir: place.cwd,
        id,
        title,
        ...(upTo === undefined ? {} : { upTo }),
      })) ?? undefined,
  };
}
