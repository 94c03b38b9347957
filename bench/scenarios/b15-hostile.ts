import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { Session } from "@drover/core";
import type { Damage } from "../../test/kit/hostile-clients.ts";
import { api } from "../../test/kit/http.ts";
import { cleanEnvironment, type Server } from "../../test/kit/server.ts";
import { until } from "../../test/kit/until.ts";
import { besiege } from "../kit/hostile.ts";
import { type Look, opening, pageLoad } from "../kit/looks.ts";
import { type BurstSession, openRig, type Rig } from "../kit/rig.ts";
import { quantile } from "../kit/stats.ts";
import { now } from "../kit/unit.ts";
import { forgetPeak, memoryOf } from "../kit/usage.ts";
import type { Check, Figure, RunOptions, Scenario } from "../scenario.ts";

const command = join(import.meta.dirname, "..", "..", "packages", "server", "bin", "drover.js");

/** The CLI, started as a person would. */
const commandLine =
  (server: Server): Look =>
  async () => {
    const env = { ...cleanEnvironment(server.home), DROVER_NO_AUTOSTART: "1" };
    const child = spawn(process.execPath, [command, "ls"], { env, stdio: "ignore" });
    const [code] = await once(child, "exit");
    if (code !== 0) throw new Error(`drover ls exited with ${code}`);
  };

type Looks = Readonly<Record<string, Look>>;

/** The time of each request in ms, one after the other for this many seconds. */
async function lookAround(looks: Looks, server: Server, seconds: number): Promise<Record<string, number[]>> {
  const times: Record<string, number[]> = Object.fromEntries(Object.keys(looks).map((name) => [name, []]));
  const end = now() + seconds * 1e6;
  do {
    for (const [name, look] of Object.entries(looks)) {
      const start = now();
      await look(server);
      times[name]?.push((now() - start) / 1000);
    }
  } while (now() < end);
  return times;
}

function figuresOf(alone: Record<string, number[]>, besieged: Record<string, number[]>): Figure[] {
  return Object.entries(besieged).flatMap(([name, times]) =>
    ([0.5, 0.99] as const).map((share) => ({
      what: `${name}: ${share === 0.5 ? "p50" : "p99"} of ${times.length}`,
      value: quantile(times, share),
      unit: "ms" as const,
      floor: { what: "the same server without attackers", value: quantile(alone[name] ?? [], share) },
    })),
  );
}

function checksOf({ opened, silentReaders, junkLogins, hugeBodies }: Damage, connections: number): Check[] {
  const was = (what: string, seen: number, least: number): Check => ({
    what,
    ok: seen >= least,
    seen: `${seen}`,
  });
  return [
    was("more connections than the limit", opened, connections),
    was("clients that read nothing", silentReaders, 1),
    was("junk logins", junkLogins, 1),
    was("oversized bodies", hugeBodies, 1),
  ];
}

/** A session whose agent has written this much and finished. */
async function written(rig: Rig, count: number): Promise<BurstSession> {
  const session = await rig.openSession();
  await session.send({ count, units: 1 });
  await until(
    async () => {
      const { lastTurn } = await api(rig.server).get<Session>(`/api/sessions/${session.id}`);
      return lastTurn !== undefined;
    },
    { deadline: 120_000 },
  );
  return session;
}

export const b15: Scenario = {
  id: "B15",
  title:
    "the owner's requests during an attack with half-open connections, silent readers, junk logins and huge bodies",
  async run({ smoke, progress }: RunOptions) {
    const connections = 1_200;
    await using rig = await openRig();
    const { server } = rig;
    using session = await written(rig, 200);
    using loud = await written(rig, smoke ? 2_000 : 100_000);
    const looks: Looks = {
      "a session opened over a new connection": opening(session.id),
      "all requests of the page": pageLoad,
      "drover ls": commandLine(server),
    };
    progress("the owner alone");
    const alone = await lookAround(looks, server, smoke ? 1 : 20);
    forgetPeak(server.pid);
    const before = memoryOf(server.pid).now;
    progress("with four hostile clients");
    await using siege = await besiege({ target: server, sessionId: loud.id, connections });
    const besieged = await lookAround(looks, server, smoke ? 3 : 60);
    const grownMb = memoryOf(server.pid).peak - before;
    const damage = await siege.end();
    return {
      figures: [
        ...figuresOf(alone, besieged),
        { what: "server grows by", value: grownMb, unit: "MB" },
        { what: "connections opened against it", value: damage.opened, unit: "" },
        { what: "junk logins", value: damage.junkLogins, unit: "" },
        { what: "bodies of 17 MB", value: damage.hugeBodies, unit: "" },
      ],
      checks: [{ what: "the owner always gets an answer", ok: true }, ...checksOf(damage, connections)],
    };
  },
};
