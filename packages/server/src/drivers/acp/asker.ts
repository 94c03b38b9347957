import { Fault } from "@drover/core";
import type { OpenRequest } from "../../ports.ts";
import type { AgentProcess } from "../../process/agent-process.ts";
import type { Wire } from "./wire.ts";

export const couldNotConnect = (name: string, facts: Record<string, unknown> = {}): Fault =>
  new Fault("AGENT_UNREACHABLE", `Could not connect to ${name}`, { facts });

interface AskerParts {
  readonly request: OpenRequest;
  readonly process: AgentProcess;
  readonly wire: Wire;
}

/**
 * One request and its answer. Rejects with a Fault when the agent ends first, takes too long, or the open is aborted.
 */
export function asker({ request, process, wire }: AskerParts) {
  const { preset, startTimeoutMs, signal } = request;
  return async (method: string, params: unknown): Promise<unknown> => {
    const { promise: lost, reject } = Promise.withResolvers<never>();
    const giveUp = (reason?: string): void => reject(couldNotConnect(preset.name, reason ? { reason } : {}));
    const abort = (): void => giveUp();
    // An agent that answered `initialize` is connected: losing it afterwards is a crash, and the engine retries. The
    // answer itself has arrived by then and counts.
    const lose = (exit: Exit): void => {
      const reason = exitWords(exit);
      if (!wire.isConnected()) giveUp(reason);
      else if (method !== "initialize") {
        const message = `${preset.name} ended right after connecting`;
        reject(new Fault("AGENT_CRASHED", message, { facts: { reason } }));
      }
    };
    const timer = setTimeout(() => giveUp(late(method, startTimeoutMs)), startTimeoutMs);
    signal.addEventListener("abort", abort);
    // Not `exited`: the answer may be the last thing the agent wrote.
    process.finished.then(lose, () => process.exited.then(lose));
    if (signal.aborted) giveUp();
    try {
      return await Promise.race([wire.request(method, params), lost]);
    } finally {
      clearTimeout(timer);
      signal.removeEventListener("abort", abort);
    }
  };
}

const late = (method: string, ms: number): string =>
  `it did not answer "${method}" within ${ms < 1_000 ? `${ms} ms` : `${ms / 1_000} s`}`;

type Exit = Awaited<AgentProcess["exited"]>;

function exitWords({ code, signal }: Exit): string {
  if (signal) return `its process was ended by ${signal}`;
  return code === null ? "its process ended" : `its process exited with code ${code}`;
}
