// Turns of programs that are started for each turn and never ask: how they are started, what their prompt contains, and
// what they may do.
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { PermissionMode } from "@drover/core";
import { Conversation } from "../e2e/support.ts";
import { until } from "../kit/until.ts";
import { patience, type Scene } from "./stage.ts";

/** Creates `started`, then waits for `go`. */
export const waiting = "touch started; until [ -e go ]; do sleep 0.1; done; echo x >> notes";

export const started = ({ cwd }: Pick<Scene, "cwd">): Promise<true> =>
  until(() => existsSync(join(cwd, "started")), { ...patience, what: "the command runs" });

export const release = ({ cwd }: Pick<Scene, "cwd">): Promise<void> => writeFile(join(cwd, "go"), "");

const statOf = (pid: number): string[] => {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
};

export const parentOf = (pid: number): number => Number(statOf(pid)[1]);

export async function programOf({ session }: Pick<Scene, "session">): Promise<number> {
  const { pid } = (await session.get()).connection;
  assert.ok(pid, "the agent's program is running");
  return pid;
}

/** In a mode that requires approvals, a command that needs one does not run, and nobody is asked. */
export async function forbidden(scene: Scene): Promise<void> {
  const { session, subject } = scene;
  for (const permissionMode of ["ask", "plan"] satisfies PermissionMode[]) {
    await scene.rig.client.patch(session.path(), { permissionMode });
    await session.turn(scene.prompt(...(subject.commandLine?.forbidden ?? [])), patience);
    assert.equal(await scene.notes(), undefined, permissionMode);
  }
  assert.deepEqual(session.all("approval_required"), []);
  await scene.assertUsable();
}

const once = (text: string, words: string): boolean => text.split(words).length === 2;

/** What the program was started with, read from the running process. */
async function startOf(session: Conversation) {
  const pid = await programOf({ session });
  const [, , , , terminal] = statOf(pid);
  const argv = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
  return { argv, prompt: readFileSync(`/proc/${pid}/fd/0`, "utf8"), terminal: Number(terminal) };
}

/** The program gets the system text exactly once, in its flag or in the prompt. */
export async function startedWith(scene: Scene): Promise<void> {
  const { rig, subject, cwd } = scene;
  const flag = subject.commandLine?.systemFlag;
  for (const system of ["Always speak of birds.", undefined]) {
    const fields = { agent: subject.name, cwd, permissionMode: "never", system };
    const { id } = await rig.client.post<{ id: string }>("/api/sessions", fields);
    await using session = new Conversation(rig, id);
    const say = `A bird (${system === undefined ? 2 : 1}).`;
    const { messageId } = await session.send(scene.prompt({ run: waiting }, { say }));
    await started(scene);
    const { argv, prompt, terminal } = await startOf(session);
    await release(scene);
    assert.equal((await session.done(messageId, patience)).reason, "end_turn");

    for (const file of ["started", "go"]) await rm(join(cwd, file));

    assert.equal(terminal, 0, "it has no terminal");
    const { body: raw } = await rig.client.ask("GET", session.path("/log"));
    assert.ok(!String(raw).includes("\u001b"), "it prints no escape sequences");
    const text = flag === undefined ? prompt : (argv[argv.indexOf(flag) + 1] ?? "");
    assert.equal(argv.filter((argument) => argument === flag).length, flag === undefined ? 0 : 1);
    assert.ok(once(argv.join("\n") + prompt, "</git_status>"), "it gets its context once");
    const end = system === undefined ? "" : `\n\n${system}`;
    assert.ok(text.includes(`</git_status>${end}${flag === undefined ? "\n\n[MESSAGE]\n" : ""}`), text);
    if (system !== undefined) {
      assert.ok(once(argv.join("\n") + prompt, system));
      if (scene.hasModel) assert.ok(once(JSON.stringify(scene.requestFor(say).body), system));
    }
  }
}
