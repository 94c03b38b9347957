// What the suites about workers share.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { EventOf, Session } from "@drover/core";
import { Conversation } from "./support.ts";
import type { WorktreeRig } from "./worktree-rig.ts";

/** Workers that are reminded of their signal soon. */
export const quick = { workers: { signalBackoff: "10ms" } };

/** A worker with the client that follows it. */
export class Worker extends Conversation {
  readonly rig: WorktreeRig;
  readonly tree: string;
  readonly name: string;

  constructor(rig: WorktreeRig, { id, name, cwd }: Session) {
    super(rig, id);
    this.rig = rig;
    this.name = name;
    this.tree = cwd;
  }

  /** The end of its nth turn. */
  ended(n = 1): Promise<EventOf<"done">> {
    const isNth = ({ seq }: { seq: number }) =>
      this.all("done").filter((each) => each.seq <= seq).length === n;
    return this.follower.until<EventOf<"done">>((event) => event.type === "done" && isNth(event), {
      what: `turn ${n} of ${this.name} ends`,
    });
  }

  signals(): Omit<EventOf<"signal">, "seq" | "from" | "at" | "sessionId" | "turnId" | "type">[] {
    return this.all("signal").map(
      ({ seq: _seq, from: _from, at: _at, sessionId: _id, turnId: _turn, type: _type, ...signal }) => signal,
    );
  }

  codes(): string[] {
    return this.all("notice").map(({ code }) => code);
  }

  read = (path: string): Promise<string> => readFile(join(this.tree, path), "utf8");
  git = (...args: string[]): Promise<string> => this.rig.git("-C", this.tree, ...args);
}

export async function spawn(
  rig: WorktreeRig,
  prompt: string,
  fields: Record<string, unknown> = {},
): Promise<Worker> {
  const session = await rig.client.post<Session>("/api/workers", {
    ...{ agent: "demo", cwd: rig.work, prompt },
    ...fields,
  });
  return new Worker(rig, session);
}
