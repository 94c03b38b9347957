import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import type { SessionEvent } from "@drover/core";
import { expect, test } from "vitest";
import { usually } from "../../../../test/kit/soak.ts";
import { tempDir } from "../../../../test/kit/temp.ts";
import { homeAt } from "../../src/home.ts";
import { openSqliteStore } from "../../src/store/sqlite.ts";
import { filesOf, stageIn, useSession } from "./killed-session.ts";
import { Staged } from "./support.ts";

const server = fileURLToPath(new URL("./killed-server.ts", import.meta.url));

interface KillPoint {
  readonly commit: number;
  readonly when: "before" | "after";
}

/** Runs a home's first server until it is killed or finishes; if it finishes, it prints how many commits it made. */
async function runKilled(home: string, { commit, when }: KillPoint): Promise<number | "killed"> {
  const args = ["-C", "source", server, home, String(commit), when];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  const [said, [code, signal]] = await Promise.all([text(child.stdout), once(child, "exit")]);
  if (signal === "SIGKILL") return "killed";
  expect({ code, signal }).toEqual({ code: 0, signal: null });
  return Number(said);
}

/** The session as the killed server left it. */
async function readSession(home: string) {
  await using store = await openSqliteStore({ file: homeAt(home).database });
  const [row] = (await store.sessions({ limit: 1, archived: false })).rows;
  if (!row) throw new Error("The session was not stored");
  const events = await store.events(row.id, 0, 1 << 20);
  return {
    id: row.id,
    turns: events.filter(({ type }) => type === "turn_start").length,
    isWriting: JSON.stringify(row.runtime).includes('"phase":"writing"'),
  };
}

/** The agent prints the answers it was given: the kinds of the chosen options. */
function answersIn(output: string): (string | undefined)[] {
  const chunks = output.split("\n").filter((line) => line.includes('"agent_message_chunk"'));
  return chunks.map((line) => JSON.parse(JSON.parse(line).params.update.content.text).kind);
}

/** Kills a server and lets the next one finish; returns how the first one ended. */
async function surviveKill(point: KillPoint): Promise<number | "killed"> {
  const home = await tempDir();
  const end = await runKilled(home.path, point);
  const { id, turns, isWriting } = await readSession(home.path);
  await using staged = await Staged.open(stageIn(home, turns, (store) => store()));
  await staged.engine.recover();
  await useSession(staged, id);

  const events: SessionEvent[] = (await staged.store.events(id, 0, 1 << 20)).map(({ data }) =>
    JSON.parse(data),
  );
  const output = await readFile(filesOf(home.path).output, "utf8");
  const actions = await readFile(filesOf(home.path).actions, "utf8").catch(() => "");
  const done = events.flatMap((event) => (event.type === "done" ? event.reason : []));
  // A prompt that was being written is never sent again: a person has to look at it, unless the agent has already
  // answered when the next server finds it.
  const isDone = (turn: number) => !(isWriting && turns === turn && done[turn - 1] === "uncertain");
  const [isFirstDone, isSecondDone] = [isDone(1), isDone(2)];
  expect({
    point,
    sent: events.flatMap((event) => (event.type === "message" ? event.content : [])),
    done,
    settled: events.flatMap((event) => (event.type === "interaction_resolved" ? event.resolution : [])),
    answers: answersIn(output).filter((kind) => kind !== undefined),
    actions: actions.replace(/^call-\d /, ""),
    alarms: await staged.store.alarms(),
  }).toEqual({
    point,
    sent: ["first", "second"],
    done: [isFirstDone ? "end_turn" : "uncertain", isSecondDone ? "end_turn" : "uncertain"],
    settled: [...(isFirstDone ? ["approved"] : []), ...(isSecondDone ? ["expired"] : [])],
    answers: [...(isFirstDone ? ["allow_once"] : []), ...(isSecondDone ? ["reject_once"] : [])],
    actions: isFirstDone ? "first\n" : "",
    alarms: [],
  });
  return end;
}

test("E6 after kill -9 at any commit a pending prompt, a stored answer and an alarm are carried out once", {
  timeout: usually(300_000, { inSoak: 1_800_000 }),
}, async () => {
  const commits = Number(await surviveKill({ commit: Number.POSITIVE_INFINITY, when: "after" }));
  const images = usually(8, { inSoak: 200 });
  let kills = 0;
  // Spread evenly over the moments after and before every commit; a soak goes through all of them several times.
  const step = Math.max(1, (2 * commits) / images);
  const points = Array.from({ length: images }, (_, image) => {
    const moment = Math.floor(image * step) % (2 * commits);
    const when = moment < commits ? ("after" as const) : ("before" as const);
    return { commit: 1 + (moment % commits), when };
  });
  // Several at a time, because each of them mostly waits for programs to start.
  const survive = async () => {
    for (let point = points.shift(); point; point = points.shift()) {
      if ((await surviveKill(point)) === "killed") kills += 1;
    }
  };
  await Promise.all([survive(), survive(), survive()]);
  // An agent's output sometimes takes fewer commits, so a server may finish before the last ones.
  expect(kills).toBeGreaterThan(images * 0.8);
});
