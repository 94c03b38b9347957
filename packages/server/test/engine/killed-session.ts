import { join } from "node:path";
import type { TempDir } from "../../../../test/kit/temp.ts";
import { until } from "../../../../test/kit/until.ts";
import { but, granted, type Stage, type Staged } from "./support.ts";

/** What the agent does and prints, under either server. */
export const filesOf = (home: string) => ({ actions: join(home, "actions"), output: join(home, "output") });

/** A server for the session below, which may have had some of its turns on an earlier one. */
export function stageIn(
  home: TempDir,
  turns: number,
  commit: (store: () => Promise<void>) => Promise<void>,
): Stage {
  const { actions, output } = filesOf(home.path);
  return {
    agent: "asks-permission",
    args: ["--file", actions, "--copy", output],
    home,
    settings: {
      // The first request has plenty of time for its answer. The second one is left to expire, so its timeout is short.
      get interactionTimeoutMs() {
        return turns < 2 ? 60_000 : 50;
      },
    },
    store: (real) =>
      but(real, {
        append(append) {
          turns += append.events.filter(({ type }) => type === "turn_start").length;
          return commit(() => real.append(append));
        },
      }),
  };
}

/** Sends two messages and approves what the first one asks for. Calling it again does only what is missing. */
export async function useSession(staged: Staged, id: string): Promise<void> {
  const { sessions, interactions } = staged.service;
  const send = async (content: string) => {
    const message = { content, clientMessageId: content, disposition: "queue", strict: false } as const;
    return granted(await sessions.send(id, message, { by: "api" }));
  };
  const first = await send("first");
  await send("second");
  await until(
    async () => {
      const open = await interactions.list({ state: "open", sessionId: id });
      const asked = open.find(({ turnId }) => turnId === first.turnId);
      if (asked) await interactions.approve(id, { toolCallId: asked.id, scope: "once" }, { by: "api" });
      const { turn, queued } = await staged.get(id);
      return !turn && queued === 0;
    },
    { what: "both turns have ended" },
  );
}
