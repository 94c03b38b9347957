import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Preset } from "@drover/core";
import { describe, expect, test } from "vitest";
import { complaints, demo, loaded, place } from "./support.ts";

describe("agents", () => {
  test("any ACP program becomes an agent with a driver and a command", async () => {
    const { presets } = await loaded(
      "agents:\n  my-agent: {name: My Agent, driver: acp, command: node, args: [/a.mjs], env: {LOG: quiet}}\n  plain: {driver: acp, command: x}",
    );
    expect([...presets.keys()]).toEqual(["demo", "my-agent", "plain"]);
    expect(presets.get("my-agent")).toEqual({
      agent: "my-agent",
      name: "My Agent",
      driver: "acp",
      command: "node",
      args: ["/a.mjs"],
      env: { LOG: "quiet" },
      passEnv: [],
    });
    expect(presets.get("plain")).toMatchObject({ name: "plain", args: [], env: {} });
  });

  test("a shipped agent can be changed key by key", async () => {
    const { presets } = await loaded("agents: {demo: {args: [other.js], passEnv: [KEY]}}");
    expect(presets.get("demo")).toEqual({ ...demo, args: ["other.js"], passEnv: ["KEY"] });
  });

  test("custom rules take precedence over the mapper of a shipped agent", async () => {
    const shipped: Preset[] = [{ ...demo, driver: "jsonl", mapper: "demo" }];
    const mapperOf = async (yaml: string) => (await loaded(yaml, { shipped })).presets.get("demo")?.mapper;
    expect(await mapperOf("agents: {demo: {limit: [{type: limit}]}}")).toBe("demo");
    expect(await mapperOf("agents: {demo: {done: [{type: end}]}}")).toBeUndefined();
    expect(await mapperOf("agents: {demo: {thinking: [{type: hm}]}}")).toBeUndefined();
  });

  test("variables are added to those of a shipped agent, and a named program replaces an installed one", async () => {
    const shipped = { ...demo, env: { LOG: "quiet", LANG: "C" }, package: { name: "demo", version: "1" } };
    const presetOf = async (yaml: string, preset: Preset) =>
      (await loaded(yaml, { shipped: [preset] })).presets.get("demo");
    const packed = { ...shipped, package: { ...shipped.package, bin: "demo/main.js" } };
    const added = await presetOf("agents: {demo: {env: {LOG: loud, KEY: k}}}", packed);
    expect(added).toEqual({ ...packed, env: { LOG: "loud", LANG: "C", KEY: "k" } });
    const { package: _, ...bare } = packed;
    const named = await presetOf("agents: {demo: {command: /opt/demo}}", packed);
    expect(named).toEqual({ ...bare, command: "/opt/demo" });
    const library = await presetOf("agents: {demo: {command: /opt/demo}}", shipped);
    expect(library, "a library does not count as a program").toEqual({ ...shipped, command: "/opt/demo" });
  });

  test("keys of command line drivers are validated and kept", async () => {
    const yaml = `
      agents:
        cli:
          driver: jsonl
          command: cli
          stateful: false
          prompt: {flag: -p}
          resume: [--resume, ID]
          nonInteractive: [--yes]
          systemFlag: --system
          modelFlag: --model
          modeArgs: {plan: [--read-only], never: []}
          modeEnv: {ask: {CLI_ASK: "1"}}
          lastArgs: ["-"]
          sessionId: [init, session_id]
          text: [{type: message, at: [delta, 0, text], when: [{at: [role], is: agent}]}]
          done: [{type: result, at: [ok], is: true}]
          failed: [{type: result, at: [ok], is: false}]
          limit: [{type: error, at: [kind], is: usage, until: [resets, at]}]
          trust: {trusted: {env: {TRUST: all}}, untrusted: {args: [--distrust], meta: {strict: true}}}
          account: {env: TOKEN}`;
    expect((await loaded(yaml)).presets.get("cli")).toMatchObject({
      prompt: { flag: "-p" },
      resume: ["--resume", "ID"],
      modelFlag: "--model",
      modeArgs: { plan: ["--read-only"], never: [] },
      modeEnv: { ask: { CLI_ASK: "1" } },
      lastArgs: ["-"],
      text: [{ type: "message", at: ["delta", 0, "text"], when: [{ at: ["role"], is: "agent" }] }],
      sessionId: ["init", "session_id"],
      limit: [{ type: "error", at: ["kind"], is: "usage", until: ["resets", "at"] }],
      trust: {
        trusted: { env: { TRUST: "all" } },
        untrusted: { args: ["--distrust"], meta: { strict: true } },
      },
      account: { env: "TOKEN" },
    });
  });

  test("mistakes are reported with their lines", async () => {
    const yaml = [
      "agents:",
      "  half: {driver: acp}",
      "  bare:",
      "  typo:",
      "    driver: acp",
      "    command: x",
      "    comand: y",
      "    driver2: z",
      "  wrong:",
      "    command: 7",
      "    driver: tcp",
      "    prompt: mouse",
      "    text:",
      "      - {type: a}",
      "      - {type: b, on: 1}",
      "      - {type: [], is: {}}",
      "      - {type: c, when: [{at: [x], is: 1, or: 2}]}",
      "    modeArgs: {asks: []}",
      "  Bad_Name: {driver: acp, command: x}",
      "  demo: node demo.js",
      "  talker: {driver: text, command: x, stateful: true}",
    ].join("\n");
    expect(await complaints(yaml)).toEqual([
      "drover.yaml:2: agents.half needs command; only a shipped agent may omit it",
      "drover.yaml:3: agents.bare needs driver and command; only a shipped agent may omit them",
      expect.stringMatching(
        /^drover\.yaml:7: unknown key "agents\.typo\.comand"; allowed: name, driver, command,/,
      ),
      expect.stringMatching(/^drover\.yaml:8: unknown key "agents\.typo\.driver2"/),
      "drover.yaml:11: agents.wrong.driver must be one of acp, claude, jsonl, text",
      "drover.yaml:10: agents.wrong.command must be a string",
      "drover.yaml:12: agents.wrong.prompt must be stdin, file or {flag: NAME}",
      'drover.yaml:18: unknown key "agents.wrong.modeArgs.asks"; allowed: ask, plan, acceptEdits, never',
      'drover.yaml:15: unknown key "agents.wrong.text.1.on"; allowed: type, at, is, when',
      "drover.yaml:16: agents.wrong.text.2.type must be a string",
      "drover.yaml:16: agents.wrong.text.2.is must be a string, a number, true, false or null",
      'drover.yaml:17: unknown key "agents.wrong.text.3.when.0.or"; allowed: at, is',
      "drover.yaml:19: agents.Bad_Name: an agent's name has up to 63 characters of a-z, 0-9 and -, and starts with a letter",
      "drover.yaml:20: agents.demo must be a map",
      "drover.yaml:21: agents.talker.stateful: plain text does not show where an answer ends; omit it, or use driver jsonl",
    ]);
  });

  test("like applies the line rules of a shipped agent, and nothing else of it", async () => {
    const shipped: Preset[] = [
      {
        ...{ ...demo, agent: "lines", driver: "jsonl", mapper: "lines", sessionId: ["open", "id"] },
        ...{ forgotten: "gone", resume: ["--resume", "{sessionId}"], modeArgs: { ask: ["--ask"] } },
      },
      { ...demo, agent: "rules", driver: "jsonl", text: [{ type: "say" }], done: "exit" },
    ];
    const { presets } = await loaded(
      [
        "agents:",
        "  mine: {driver: jsonl, command: x, like: lines, resume: [-r, ID], limit: [{type: l}]}",
        "  other: {driver: jsonl, command: x, like: rules, text: [{type: tell}]}",
      ].join("\n"),
      { shipped },
    );
    const own = { driver: "jsonl", command: "x", args: [], env: {}, passEnv: [] };
    expect(presets.get("mine")).toEqual({
      ...{ ...own, agent: "mine", name: "mine", mapper: "lines", sessionId: ["open", "id"] },
      ...{ forgotten: "gone", resume: ["-r", "ID"], limit: [{ type: "l" }] },
    });
    expect(presets.get("other")).toEqual({
      ...{ ...own, agent: "other", name: "other", text: [{ type: "tell" }], done: "exit" },
    });
  });

  test("rules that cannot work are reported with the next step", async () => {
    const shipped: Preset[] = [{ ...demo, agent: "lines", driver: "jsonl", mapper: "lines" }];
    const yaml = [
      "agents:",
      "  a: {driver: text, command: x, done: exit}",
      "  b: {driver: jsonl, command: x, stateful: true, done: exit}",
      "  c: {driver: jsonl, command: x, toolFailed: [{type: t}]}",
      "  d: {driver: jsonl, command: x, like: nobody}",
      "  e: {driver: jsonl, command: x, like: lines, usage: [{type: u}]}",
      "  f: {driver: jsonl, command: x, done: later}",
      "  g: {driver: jsonl, command: x, done: [{type: d, on: 1}]}",
      "  h: {driver: jsonl, command: x, toolStarted: [{type: t, kind: conjure, output: [o]}]}",
      "  i: {driver: jsonl, command: x, toolStarted: [{type: t, title: [a, {}]}]}",
    ].join("\n");
    expect(await complaints(yaml, { shipped })).toEqual([
      "drover.yaml:2: agents.a.done: only driver jsonl reads lines by rules, not text; omit it, or use driver jsonl",
      "drover.yaml:3: agents.b.done: a stateful process does not exit after a turn; give rules for the line that ends it",
      "drover.yaml:4: agents.c.toolFailed: no call would ever start; add toolStarted",
      'drover.yaml:5: agents.d.like: there is no agent "nobody" that answers in lines of JSON; use one of lines',
      "drover.yaml:6: agents.e.usage: like: lines already describes its lines; omit one of the two",
      "drover.yaml:7: agents.f.done must be exit, or a list of rules {type, at, is, when}",
      'drover.yaml:8: unknown key "agents.g.done.0.on"; allowed: type, at, is, when',
      expect.stringMatching(
        /^drover\.yaml:9: agents\.h\.toolStarted\.0\.kind must be a path or one of read, edit, /,
      ),
      'drover.yaml:9: unknown key "agents.h.toolStarted.0.output"; allowed: type, at, is, when, id, name, title, kind, input',
      "drover.yaml:10: agents.i.toolStarted.0.title.1 must be a string or a number",
    ]);
  });

  test("an instruction file is resolved relative to the configuration, and checked", async () => {
    await writeFile(join(place.path, "house.md"), "Use tabs.");
    const { presets } = await loaded("agents: {demo: {instructionFile: ./house.md}}");
    expect(presets.get("demo")?.instructionFile).toBe(join(place.path, "house.md"));
    const yaml = [
      "agents:",
      "  a: {driver: acp, command: x, instructionFile: none.md}",
      "  b:",
      "    driver: acp",
      "    command: x",
      "    instructionFile: .",
      "  c: {driver: acp, command: x, instructionFile: large.md}",
    ].join("\n");
    await writeFile(join(place.path, "large.md"), "x".repeat(1024 * 1024 + 1));
    expect(await complaints(yaml)).toEqual([
      `drover.yaml:2: agents.a.instructionFile ${place.path}/none.md cannot be used: there is no such file; check the path`,
      expect.stringMatching(
        /^drover\.yaml:6: agents\.b\.instructionFile .* cannot be used: it is not a regular file/,
      ),
      expect.stringMatching(/^drover\.yaml:7: agents\.c\.instructionFile .* has more than 1048576 bytes/),
    ]);
  });

  test("a variable name that a shell does not pass to the agent is rejected", async () => {
    const yaml = "agents:\n  a:\n    driver: acp\n    command: x\n    env: {GOOD_1: x, not.good: y}\n";
    expect(await complaints(yaml)).toEqual([
      "drover.yaml:5: agents.a.env must be a map of strings by names of letters, digits and _",
    ]);
  });

  test("anchors and aliases are followed", async () => {
    const yaml = "agents:\n  a: &a {driver: acp, command: x}\n  b: *a\n";
    expect((await loaded(yaml)).presets.get("b")).toMatchObject({ agent: "b", driver: "acp", command: "x" });
  });
});
