// A stub for `drover serve --json`: listens, reports it and stops on TERM. The variable STUB changes its behaviour.
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { FakeServer } from "./fake-server.ts";

const home = process.env["DROVER_HOME"] ?? "";
const behaviour = process.env["STUB"] ?? "listens";

if (behaviour === "refuses") {
  console.error("drover.yaml, line 3: unknown key prot; did you mean port?");
  process.exit(2);
}
if (behaviour === "late") {
  console.error("Another Drover server is serving this home.");
  process.exit(3);
}
const server = await FakeServer.start(home);
await writeFile(
  join(home, "started-with"),
  JSON.stringify({ args: process.argv.slice(2), env: process.env }),
);
if (behaviour === "found damage") {
  console.error("The database was damaged and is kept aside.");
  console.error('{"level":"info","message":"a line of the log"}');
}
console.log("not yet the line that counts");
const login = `${server.url}/login#CODE`;
console.log(JSON.stringify({ event: "listening", url: server.url, port: 1, pid: process.pid, home, login }));

process.on("SIGTERM", async () => {
  if (behaviour === "ignores TERM") return;
  const stopAgents = await readFile(join(home, "stop-agents")).then(
    () => true,
    () => false,
  );
  await writeFile(join(home, "ended-with"), JSON.stringify({ stopAgents }));
  if (behaviour !== "leaves agents") await rm(join(home, "stop-agents"), { force: true });
  await server.kill();
  await rm(join(home, "server.json"));
});
