import { expect, test } from "vitest";
import { LiveConfig } from "../../src/config.ts";
import { demo, load, loaded } from "./support.ts";

/** An initial configuration, and a function that applies another text to it. */
async function started(yaml: string) {
  const live = new LiveConfig(await loaded(yaml), () => load(undefined));
  const write = async (text: string) => {
    await load(text);
    return live.reload();
  };
  return { live, write };
}

test("N10 changes to agents and live settings apply at once, and are listed", async () => {
  const { live, write } = await started("agents: {old: {driver: acp, command: x}}");
  const report = await write(
    "sessions: {queueMax: 7}\nagents: {demo: {name: D}, new: {driver: acp, command: y}}",
  );
  expect(report).toEqual({
    outcome: "changed",
    changed: ["sessions.queueMax", "agents.demo", "agents.old", "agents.new"],
    restart: [],
  });
  expect(live.current.sessions.queueMax).toBe(7);
  expect([...live.current.presets.keys()]).toEqual(["demo", "new"]);
  expect(await live.reload()).toEqual({ outcome: "same" });
});

test("N10 a setting that needs a restart keeps its value and source until then, and is listed as pending", async () => {
  const { live, write } = await started("server: {port: 5000}\nlog: {level: warn}");
  const report = await write("server: {port: 6000, roots: [/srv]}\nlog: {level: warn}");
  expect(report).toEqual({ outcome: "changed", changed: ["server.roots"], restart: ["server.port"] });
  expect(live.current.server).toMatchObject({ port: 5000, roots: ["/srv"] });
  expect(live.current.sources.get("server.port")).toMatchObject({ kind: "file", line: 1 });
  expect(live.restart).toEqual(["server.port"]);
  expect(await write("server: {port: 5000, roots: [/srv]}\nlog: {level: warn}")).toMatchObject({
    restart: [],
  });
  expect(live.restart).toEqual([]);
});

test("N10 an invalid file changes nothing, is reported once, and is cleared once it is valid again", async () => {
  const { live, write } = await started("sessions: {queueMax: 7}");
  const before = live.current;
  const report = await write("sessions: {queueMax: many}\nagent: {}");
  expect(report).toEqual({
    outcome: "wrong",
    problems: [
      expect.stringContaining("drover.yaml:1: sessions.queueMax must be a whole number"),
      expect.stringContaining('drover.yaml:2: unknown key "agent"'),
    ],
  });
  expect(live.current).toBe(before);
  expect(live.problems).toHaveLength(2);
  expect(await live.reload()).toEqual({ outcome: "same" });
  expect(await write("agents: [")).toMatchObject({ outcome: "wrong" });
  expect(await write("sessions: {queueMax: 7}")).toEqual({ outcome: "changed", changed: [], restart: [] });
  expect(live.problems).toEqual([]);
  expect(live.current.presets.get("demo")).toEqual(demo);
});
