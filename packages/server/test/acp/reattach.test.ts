import { readFile, rename } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { isAlive } from "../../../../test/kit/processes.ts";
import { until } from "../../../../test/kit/until.ts";
import { Place, pendingOf, RecordingHost } from "./support.ts";

test("X8 output continues exactly where the last server stopped recording, however often servers change", async () => {
  await using place = await Place.make();
  const program = { agent: "floods", args: ["--count", "60000", "--bytes", "300"] };
  let host = new RecordingHost();
  let connection = await place.open(program, host);
  await connection.prompt("trn_1", "go");
  let text = "";
  let servers = 1;
  for (; servers < 6; servers++) {
    const { batches } = host;
    await until(() => batches.length > 0);
    if (host.of("turn_end").length > 0) break;
    host.die();
    connection.detach();
    text += host.text;
    const attach = { process: host.process, pending: {} };
    host = new RecordingHost(host.process);
    connection = await place.open(program, host, { epoch: servers + 1, attach });
  }
  expect(servers).toBeGreaterThan(1);
  await host.turnEnd("trn_1");
  text += host.text;
  const numbers = text.match(/\d+(?= )/g)?.map(Number) ?? [];
  expect(numbers).toHaveLength(60_000);
  expect(numbers.every((value, index) => value === index)).toBe(true);
});

test("X8 the output of an agent that exited without a server is still recorded", async () => {
  await using place = await Place.make();
  const program = { agent: "dies-mid-turn" };
  const first = new RecordingHost();
  const before = await place.open(program, first);
  await before.prompt("trn_1", "");
  before.detach();
  await until(() => !isAlive(before.pid));
  const second = new RecordingHost();
  const attach = { process: first.process, pending: {} };
  const after = await place.open(program, second, { epoch: 2, attach });
  await after.caughtUp;
  expect(`${first.text}${second.text}`).not.toBe("");
  expect(await after.ended).toMatchObject({ code: null, signal: "SIGKILL" });
});

test("a detached agent stays alive", async () => {
  await using place = await Place.make();
  const program = { agent: "echo" };
  const first = new RecordingHost();
  const before = await place.open(program, first);
  before.detach();
  expect(isAlive(before.pid)).toBe(true);
  await expect(before.prompt("trn_1", "lost?")).rejects.toMatchObject({ code: "AGENT_UNREACHABLE" });

  const second = new RecordingHost();
  const after = await place.open(program, second, {
    epoch: 2,
    attach: { process: first.process, pending: {} },
  });
  await after.prompt("trn_2", "hello");
  await second.turnEnd("trn_2");
  expect(second.text).toContain("hello");
  expect(second.of("turn_end").map(({ turnId }) => turnId)).toEqual(["trn_2"]);
});

test("an agent whose output cannot be read is detached, and reattached once it can be read", async () => {
  await using place = await Place.make();
  const program = { agent: "echo" };
  const first = new RecordingHost();
  const before = await place.open(program, first);
  before.detach();
  const directory = join(place.dir.path, "run");
  const [output, movedOutput] = [join(directory, "stdout"), join(directory, "elsewhere")];
  await rename(output, movedOutput);
  const attach = { process: first.process, pending: {} };
  await expect(place.open(program, new RecordingHost(), { epoch: 2, attach })).rejects.toMatchObject({
    code: "AGENT_UNREACHABLE",
    message: expect.stringMatching(/^The output of .+ cannot be read: ENOENT/),
    facts: { directory },
  });
  await rename(movedOutput, output);
  const after = await place.open(program, new RecordingHost(), { epoch: 3, attach });
  expect(after.pid).toBe(before.pid);
});

test("A5 a request that was open when its server detached is answered once by the next server", async () => {
  await using place = await Place.make();
  const file = join(place.dir.path, "done.txt");
  const program = { agent: "asks-permission", args: ["--file", file] };
  const first = new RecordingHost();
  const before = await place.open(program, first);
  await before.prompt("trn_1", "hello");
  const { requestKey } = await first.first("approval_request");
  before.detach();

  const second = new RecordingHost();
  const attach = { process: first.process, pending: pendingOf(first) };
  const after = await place.open(program, second, { epoch: 2, attach });
  await after.caughtUp;
  expect(after.agentSessionId).toBe(before.agentSessionId);
  expect(after.pid).toBe(before.pid);
  expect(second.facts).toEqual([]);
  await after.answer(requestKey, { type: "approved" });
  expect(await second.turnEnd("trn_1")).toMatchObject({ reason: "end_turn" });
  expect(await readFile(file, "utf8")).toBe("call-1 hello\n");
  expect(second.of("approval_request")).toEqual([]);
  expect(second.of("tool_start")).toEqual([]);
  expect(second.of("tool_result")).toMatchObject([{ toolCallId: "call-1", status: "complete" }]);

  await after.prompt("trn_2", "again");
  const next = await second.first("approval_request");
  expect(next.toolCallId).toBe("call-2");
  await after.answer(next.requestKey, { type: "approved" });
  await second.turnEnd("trn_2");
  expect(await readFile(file, "utf8")).toBe("call-1 hello\ncall-2 again\n");
});
