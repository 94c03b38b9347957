// What a repository brings for agents to run unasked: nothing of it is, before a person trusted the project.
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { appendFile, mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { until } from "../kit/until.ts";
import { patience, type Scene } from "./stage.ts";

/** Settings by which an agent runs a command as soon as it starts in their directory, by their path there. */
export type Brought = (command: string) => Readonly<Record<string, string>>;

/** A hook of Claude Code's, and a server of tools that it starts. */
export const claudeBrings: Brought = (command) => ({
  ".claude/settings.json": JSON.stringify({
    hooks: { UserPromptSubmit: [{ hooks: [{ type: "command", command }] }] },
  }),
  ".mcp.json": JSON.stringify({ mcpServers: { brought: { command: "sh", args: ["-c", command] } } }),
});

export const codexBrings: Brought = (command) => ({
  ".codex/config.toml": `[mcp_servers.brought]\ncommand = "sh"\nargs = ["-c", ${JSON.stringify(command)}]\n`,
});

export const geminiBrings: Brought = (command) => ({
  ".gemini/settings.json": JSON.stringify({
    hooks: { SessionStart: [{ hooks: [{ name: "brought", type: "command", command }] }] },
    mcpServers: { brought: { command: "sh", args: ["-c", command] } },
  }),
});

export const opencodeBrings: Brought = (command) => ({
  "opencode.json": JSON.stringify({
    mcp: { brought: { type: "local", command: ["sh", "-c", command], enabled: true } },
  }),
});

/** The project's settings run nothing before it is trusted; then they do. */
export async function broughtSettings(scene: Scene): Promise<void> {
  const { subject, cwd } = scene;
  assert.ok(subject.brings);
  const ran = join(cwd, "ran");
  for (const [path, text] of Object.entries(subject.brings(`echo ran >> '${ran}'`))) {
    await mkdir(dirname(join(cwd, path)), { recursive: true });
    await writeFile(join(cwd, path), text);
  }
  assert.equal((await scene.turn({ say: "Nobody trusts this." })).reason, "end_turn");
  assert.equal(existsSync(ran), false);
  await trust(scene);
  assert.equal((await scene.turn({ say: "Trusted." })).reason, "end_turn");
  await until(() => existsSync(ran), { ...patience, what: "what the project brings runs" });
}

/** For the process that is started next. */
async function trust({ subject, cwd, rig, session }: Scene): Promise<void> {
  const { projectId } = await session.get();
  await rig.client.patch(`/api/projects/${projectId}`, { trusted: true });
  const own = subject.ownTrust?.(cwd);
  if (own) await appendFile(join(rig.home, own.file), `\n${own.line}`);
  await session.post("stop");
  await until(async () => (await session.get()).state === "stopped", patience);
}
