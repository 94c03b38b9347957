// `node -C source test/homes/record.ts`: runs this checkout's server, kills it in the middle of a turn, and writes its
// home as `v<schema>.sql` for the tests of later versions. Record before the schema changes, and never edit a recorded
// home.
import { readFile, writeFile } from "node:fs/promises";
import { release } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { buildTestedPackage } from "../../scripts/build-package.ts";
import { kitAgent, openRig, openSession } from "../e2e/support.ts";
import { until } from "../kit/until.ts";
import { placeholder } from "./home.ts";

/** An agent of `test/agents` that keeps a copy of its input. */
function copyingInput(copy: string, program: string) {
  const { command, args, ...agent } = kitAgent(program);
  return {
    ...agent,
    command: "/bin/sh",
    args: ["-c", 'tee "$0.$DROVER_SESSION" | "$@"', copy, command, ...args],
  };
}

/** The whole database as SQL, readable in a diff. */
function dump(db: DatabaseSync): string {
  const lines = ["BEGIN;"];
  const schema = db.prepare("SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL").all();
  const own = schema.filter(({ name }) => !String(name).startsWith("sqlite_"));
  lines.push(...own.map(({ sql }) => `${sql};`), "DELETE FROM sqlite_sequence;");
  const tables = own.filter(({ type }) => type === "table").map(({ name }) => String(name));
  for (const table of [...tables, "sqlite_sequence"]) {
    const columns = db.prepare(`PRAGMA table_info(${table})`).all();
    const values = columns.map(({ name }) => `quote("${name}")`).join(" || ', ' || ");
    for (const { row } of db.prepare(`SELECT ${values} AS row FROM ${table} ORDER BY rowid`).all()) {
      lines.push(`INSERT INTO ${table} VALUES (${row});`);
    }
  }
  lines.push(`PRAGMA user_version = ${versionOf(db)};`, "COMMIT;");
  return `${lines.join("\n")}\n`;
}

const nonEmpty = <T>(found: readonly T[]) => found.length > 0 && found;

const versionOf = (db: DatabaseSync) => Number(db.prepare("PRAGMA user_version").get()?.["user_version"]);

await buildTestedPackage();
await using rig = await openRig((home) => ({
  agents: { asks: copyingInput(join(home, "input"), "asks-permission.mjs"), echo: kitAgent("echo.mjs") },
}));

for (const name of ["finished", "deleted"]) {
  await using session = await openSession(rig, "echo", { name });
  await session.turn("An otter 🦦 said hello. ".repeat(180));
  const { messageId } = await session.send("hello", `message-of-${name}`);
  await session.done(messageId);
  if (name === "deleted") await rig.client.delete(session.path());
}
{
  await using session = await openSession(rig, "asks", { name: "approved" });
  const { messageId } = await session.send("first");
  const [asked] = await until(async () => nonEmpty(await session.openInteractions()));
  const path = session.path("/approve");
  await rig.client.post(path, { toolCallId: asked?.toolCallId }, { "idempotency-key": "approve-first" });
  await session.done(messageId);
}
await using asking = await openSession(rig, "asks", { name: "asking" });
await asking.send("second");
await until(async () => nonEmpty(await asking.openInteractions()));
await asking.send("third", "message-of-asking");
await until(async () => (await asking.get()).queued === 1);
await rig.server.kill9();

using db = new DatabaseSync(join(rig.server.droverHome, "drover.db"));
const place = join(import.meta.dirname, `v${versionOf(db)}`);
const save = (file: string, text: string) =>
  writeFile(file, text.replaceAll(rig.home, placeholder).replaceAll(release(), "6.1.0"));
await save(`${place}.sql`, dump(db));
await save(`${place}-input.jsonl`, await readFile(`${join(rig.home, "input")}.${asking.id}`, "utf8"));
