import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pageServerContract } from "../contract/page-server.ts";
import { startServer } from "../kit/server.ts";
import { git } from "./worktree-rig.ts";

pageServerContract("Drover", async () => {
  const server = await startServer();
  const directory = join(server.home, "work");
  const repository = join(server.home, "repository");
  await mkdir(directory);
  await mkdir(repository);
  await writeFile(join(repository, "notes.txt"), "one\n");
  const inRepository = (...args: string[]) => git(server.home, repository, ...args);
  await inRepository("init", "-q", "-b", "main");
  await inRepository("config", "user.name", "Ada");
  await inRepository("config", "user.email", "ada@example.test");
  await inRepository("add", "-A");
  await inRepository("commit", "-q", "-m", "first");
  return { ...server, directory, repository, code: new URL(server.login).hash.slice(1) };
});
