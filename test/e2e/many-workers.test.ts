// Many workers at once on one repository: all are merged, with few processes and little memory.
import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Project, Session } from "@drover/core";
import { expect, test } from "vitest";
import { environmentOf, processesOf } from "../kit/processes.ts";
import { isSoak } from "../kit/soak.ts";
import { until } from "../kit/until.ts";
import { quick } from "./worker-rig.ts";
import { openWorktreeRig, type WorktreeRig } from "./worktree-rig.ts";

const count = 30;
const atOnce = 4;
const deadline = 500_000;

/** The sessions with an agent's process: checks have a mark of their own. */
function running({ home }: WorktreeRig): number {
  const marks = processesOf(home).flatMap(({ pid }) => environmentOf(pid)?.get("DROVER_SESSION") ?? []);
  return new Set(marks.filter((mark) => !mark.endsWith("-checks"))).size;
}

/** The most memory that a process has had, in megabytes: proc(5), status. */
const peakOf = (pid: number): number =>
  Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024;

/** A repository whose merges are checked. */
async function open(): Promise<WorktreeRig> {
  const rig = await openWorktreeRig({
    config: { workers: { ...quick.workers, atOnce }, git: { timeout: "60s" } },
  });
  await rig.git("config", "user.name", "A Person");
  await rig.git("config", "user.email", "person@example.com");
  const { id } = await rig.client.post<Project>("/api/projects", { path: rig.work });
  await rig.client.patch(`/api/projects/${id}`, { checks: [["sh", "-c", "ls worker-*.txt"]] });
  return rig;
}

test.runIf(isSoak)(
  "thirty workers on one repository have four processes at most, and are merged one by one",
  {
    timeout: 600_000,
  },
  async () => {
    await using rig = await open();
    const go = join(rig.home, "go");
    const names = Array.from({ length: count }, (_, n) => `worker-${n}`);
    const taskOf = (name: string) =>
      `run until [ -e '${go}' ]; do sleep 0.05; done\nwrite ${name}.txt ${name}\nsignal done ${name}`;
    await Promise.all(
      names.map((name) => {
        const wanted = { agent: "demo", cwd: rig.work, name, permissionMode: "never", prompt: taskOf(name) };
        return rig.client.post("/api/workers", wanted);
      }),
    );
    const listed = async () =>
      (await rig.client.get<{ sessions: Session[] }>("/api/sessions?kind=worker&limit=100")).sessions;
    const inState = async (state: string) => (await listed()).filter((each) => each.state === state).length;
    await until(
      async () => (await inState("running")) === atOnce && (await inState("queued")) === count - atOnce,
    );
    expect(running(rig)).toBe(atOnce);

    let most = 0;
    /** Waits while it counts processes. */
    const reaches = (what: string, isReached: (session: Session) => boolean) =>
      until(
        async () => {
          most = Math.max(most, running(rig));
          return (await listed()).every(isReached);
        },
        { deadline, what },
      );
    await writeFile(go, "");
    await reaches("every worker is done", ({ worker }) => worker?.signal?.status === "done");
    await Promise.all(names.map((name) => rig.client.post(`/api/sessions/${name}/merge`)));
    await reaches("every worker is merged", ({ review }) => review?.state === "merged");
    expect(most).toBe(atOnce);
    const merges = await rig.git("log", "--first-parent", "--merges", "--format=%s", "main");
    expect(merges.split("\n")).toHaveLength(count);
    const files = (await rig.git("ls-tree", "--name-only", "main")).split("\n");
    expect(files).toEqual(["kept.txt", "sub", ...names.map((name) => `${name}.txt`)].sort());
    expect(await rig.git("status", "--porcelain")).toBe("");
    expect(await rig.git("fsck", "--no-dangling")).toBe("");
    expect(peakOf(rig.server.pid)).toBeLessThan(250);
    await until(() => running(rig) === 0);
  },
);
