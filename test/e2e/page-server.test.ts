import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { pageServerContract } from "../contract/page-server.ts";
import { startServer } from "../kit/server.ts";

pageServerContract("Drover", async () => {
  const server = await startServer();
  const directory = join(server.home, "work");
  await mkdir(directory);
  return { ...server, directory, code: new URL(server.login).hash.slice(1) };
});
