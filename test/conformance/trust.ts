// A repository's settings can make agents run commands without asking. They must not before a person trusts the project.
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { appendFile, mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { until } from "../kit/until.ts";
import { patience, type Scene } from "./stage.ts";

/** Settings files, by path, that make an agent run a command as soon as it starts in their directory. */
export type ProjectSettings = (command: string) => Readonly<Record<string, string>>;

/** A Claude Code hook, and an MCP server that it starts. */
export const claudeSettings: ProjectSettings = (command) => ({
  ".claude/settings.json": JSON.stringify({
    hooks: { UserPromptSubmit: [{ hooks: [{ type: "command", command }] }] },
  }),
  ".mcp.json": JSON.stringify({ mcpServers: { brought: { command: "sh", args: ["-c", command] } } }),
});

export const codexSettings: ProjectSettings = (command) => ({
  ".codex/config.toml": `[mcp_servers.brought]\ncommand = "sh"\nargs = ["-c", ${JSON.stringify(command)}]\n`,
});

export const geminiSettings: ProjectSettings = (command) => ({
  ".gemini/settings.json": JSON.stringify({
    hooks: { SessionStart: [{ hooks: [{ name: "brought", type: "command", command }] }] },
    mcpServers: { brought: { command: "sh", args: ["-c", command] } },
  }),
});

export const opencodeSettings: ProjectSettings = (command) => ({
  "opencode.json": JSON.stringify({
    mcp: { brought: { type: "local", command: ["sh", "-c", command], enabled: true } },
  }),
});

/** The project's settings run nothing until it is trusted. */
export async function requireTrust(scene: Scene): Promise<void> {
  const { subject, cwd } = scene;
  assert.ok(subject.projectSettings);
  const ran = join(cwd, "ran");
  for (const [path, text] of Object.entries(subject.projectSettings(`echo ran >> '${ran}'`))) {
    await mkdir(dirname(join(cwd, path)), { recursive: true });
    await writeFile(join(cwd, path), text);
  }
  assert.equal((await scene.turn({ say: "Not trusted." })).reason, "end_turn");
  assert.equal(existsSync(ran), false);
  await trust(scene);
  assert.equal((await scene.turn({ say: "Trusted." })).reason, "end_turn");
  await until(() => existsSync(ran), { ...patience, what: "the project's command runs" });
}

/** Takes effect with the next process. */
async function trust({ subject, cwd, rig, session }: Scene): Promise<void> {
  const { projectId } = await session.get();
  await rig.client.patch(`/api/projects/${projectId}`, { trusted: true });
  const own = subject.ownTrust?.(cwd);
  if (own) await appendFile(join(rig.home, own.file), `\n${own.line}`);
  await session.post("stop");
  await until(async () => (await session.get()).state === "stopped", patience);
}
