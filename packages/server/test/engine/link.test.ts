import type { Session } from "@drover/core";
import { expect, test } from "vitest";
import { until } from "../../../../test/kit/until.ts";
import { granted, Staged } from "./support.ts";

interface Announced {
  readonly type: string;
  readonly status?: string;
  readonly attempt?: number;
  readonly nextTryAt?: string;
  readonly reason?: string;
}

/** What the feed publishes about processes and connections. */
function announcements(staged: Staged): Announced[] {
  const heard: Announced[] = [];
  staged.service.feed.subscribe(({ data }) => {
    const entry = JSON.parse(data) as Announced;
    if (/^agent:(status|spawned|stopped)$/.test(entry.type)) heard.push(entry);
  });
  return heard;
}

const words = (heard: readonly Announced[]): string[] =>
  heard.map(({ type, status, attempt, reason }) =>
    status ? `${status}/${attempt}` : `${type.slice("agent:".length)}${reason ? `:${reason}` : ""}`,
  );

const supervision = {
  ...{ startTimeoutMs: 20_000, attempts: 5, backoffMs: 20, maxBackoffMs: 100 },
  ...{ stableAfterMs: 60_000, stopGraceMs: 500 },
};

async function connectedSession(staged: Staged): Promise<Session> {
  const { id } = await staged.create();
  await staged.send(id, "hello");
  return staged.when(id, ({ lastTurn }) => lastTurn?.ok === true);
}

function kill({ connection: { pid } }: Session): void {
  if (!pid) throw new Error("The session has no process");
  process.kill(pid, "SIGKILL");
}

test("a lost agent is retried after an announced wait, and a stable connection resets the count", async () => {
  await using staged = await Staged.open({
    agent: "echo",
    settings: { supervision: { ...supervision, stableAfterMs: 50 } },
  });
  const heard = announcements(staged);
  kill(await connectedSession(staged));
  await until(() => words(heard).at(-1) === "connected/0" && words(heard).includes("connected/1"));
  expect(words(heard)).toEqual([
    ...["starting/0", "spawned", "connected/0"],
    ...["stopped:crashed", "disconnected/0", "reconnecting/1"],
    ...["spawned", "connected/1", "connected/0"],
  ]);
  const waits = heard.filter(({ nextTryAt }) => nextTryAt !== undefined);
  expect(waits.map(({ status }) => status)).toEqual(["reconnecting"]);
});

test("reconnecting by hand does not wait for the timer and starts one process", async () => {
  await using staged = await Staged.open({
    agent: "echo",
    settings: { supervision: { ...supervision, backoffMs: 600_000, maxBackoffMs: 600_000 } },
  });
  const heard = announcements(staged);
  const session = await connectedSession(staged);
  kill(session);
  await until(() => words(heard).includes("reconnecting/1"));
  granted(await staged.service.sessions.reconnect(session.id));
  granted(await staged.service.sessions.reconnect(session.id));
  const { run } = await staged.when(session.id, ({ connection }) => connection.status === "connected");
  expect(run).toBe(2);
});

test("a message that arrives while a lost agent waits for its retry is sent after the retry", async () => {
  await using staged = await Staged.open({ agent: "echo", settings: { supervision } });
  const heard = announcements(staged);
  const session = await connectedSession(staged);
  kill(session);
  await until(() => words(heard).includes("reconnecting/1"));
  await staged.send(session.id, "again");
  const { run } = await staged.when(
    session.id,
    ({ lastTurn }) => lastTurn?.id !== session.lastTurn?.id && lastTurn?.ok === true,
  );
  expect(run).toBe(2);
});

test("a session that is deleted while its agent starts reports no failed start", async () => {
  await using staged = await Staged.open({
    agent: "never-initialises",
    settings: { supervision: { ...supervision, stopGraceMs: 50 } },
  });
  const heard = announcements(staged);
  const failures: unknown[] = [];
  staged.engine.onStartFailure((failure) => failures.push(failure));
  const { id } = await staged.create();
  await staged.send(id, "hello");
  await until(() => words(heard).includes("spawned"));
  granted(await staged.service.sessions.remove(id, { force: true }));
  await until(() => words(heard).some((word) => word.startsWith("stopped")));
  expect(words(heard)).toContain("stopped:user_requested");
  expect(failures).toEqual([]);
});
