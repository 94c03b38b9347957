import { chmod, mkdir, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { tempDir } from "../../../../test/kit/temp.ts";
import { startAgentProcess } from "../../src/process/agent-process.ts";
import { baseEnvironment, collect, textOf } from "./support.ts";

test("X2 a missing program, a missing directory and a file that is not executable are different errors", async () => {
  await using dir = await tempDir();
  const start = (command: string, cwd = dir.path): Promise<unknown> =>
    startAgentProcess({
      command,
      args: [],
      cwd,
      env: baseEnvironment(dir.path),
      directory: join(dir.path, "run"),
      input: "fifo",
    });
  const plain = join(dir.path, "plain.txt");
  await writeFile(plain, "no program");
  const orphan = join(dir.path, "orphan");
  await writeFile(orphan, "#!/nowhere/interpreter\n");
  await chmod(orphan, 0o755);

  await expect(start("drover-no-such-program")).rejects.toMatchObject({
    name: "SpawnError",
    code: "MISSING_EXECUTABLE",
    message: "drover-no-such-program was not found",
  });
  await expect(start("./missing")).rejects.toMatchObject({ code: "MISSING_EXECUTABLE" });
  await expect(start("cat", join(dir.path, "nowhere"))).rejects.toMatchObject({ code: "MISSING_CWD" });
  await expect(start("cat", plain)).rejects.toMatchObject({ code: "MISSING_CWD" });
  await expect(start(plain)).rejects.toMatchObject({ code: "NOT_EXECUTABLE" });
  await expect(start(dir.path)).rejects.toMatchObject({ code: "NOT_EXECUTABLE" });
  await expect(start(orphan)).rejects.toMatchObject({ code: "NOT_EXECUTABLE" });
  await expect(stat(join(dir.path, "run", "stdin"))).rejects.toThrow("ENOENT");
});

test("the program is looked up in the PATH of the agent's environment, not of the server's", async () => {
  await using dir = await tempDir();
  const program = join(dir.path, "only-here");
  await writeFile(program, "#!/bin/sh\necho found\n");
  await chmod(program, 0o755);
  const agent = await startAgentProcess({
    command: "only-here",
    args: [],
    cwd: dir.path,
    env: { PATH: `/nonexistent:${dir.path}`, HOME: dir.path },
    directory: join(dir.path, "run"),
    input: "fifo",
  });
  const lines = collect(agent);
  await agent.finished;
  expect(textOf(lines)).toEqual(["found"]);
});

test("a program in the repository is not found through an empty or relative PATH entry", async () => {
  await using dir = await tempDir();
  await mkdir(join(dir.path, "bin"));
  const ran = join(dir.path, "ran");
  for (const file of ["kit-aider", "bin/kit-aider"]) {
    await writeFile(join(dir.path, file), `#!/bin/sh\ntouch '${ran}'\n`, { mode: 0o755 });
  }
  for (const PATH of ["", ":", ".", "bin", "./bin:", ":/nonexistent", "/nonexistent:"]) {
    const started = startAgentProcess({
      ...{ command: "kit-aider", args: [], cwd: dir.path, env: { PATH, HOME: dir.path } },
      ...{ directory: join(dir.path, "run"), input: "fifo" },
    });
    await expect(started, JSON.stringify(PATH)).rejects.toMatchObject({ code: "MISSING_EXECUTABLE" });
  }
  await expect(stat(ran)).rejects.toThrow("ENOENT");
});

test("a process started with a prompt gets exactly its environment and arguments", async () => {
  await using dir = await tempDir();
  const file = join(dir.path, "prompt.txt");
  await writeFile(file, "a prompt");
  const directory = join(dir.path, "run");
  const env = { ...baseEnvironment(dir.path), ODD: "a 'quoted' $value\nof two lines" };
  const program = "console.log(JSON.stringify([process.env, process.argv.slice(1)]))";
  const args = ["-e", program, "--", "$HOME", "a b", "`id`", ""];
  const spec = { command: process.execPath, args, cwd: dir.path, env, directory };
  const agent = await startAgentProcess({ ...spec, input: { file } });
  const lines = collect(agent);
  await agent.finished;
  const [seen, received] = JSON.parse(textOf(lines).join(""));
  expect(seen).toEqual(env);
  expect(received).toEqual(["$HOME", "a b", "`id`", ""]);
});
