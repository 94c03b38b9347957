import { describe, expect, test } from "vitest";
import { complaints } from "./support.ts";

describe("a mistake is reported with its line and what is allowed:", () => {
  test.for<[string, string, string[]]>([
    [
      "an unknown section",
      "server: {}\n\nsesions: {}",
      [expect.stringMatching(/^drover\.yaml:3: unknown key "sesions"; allowed: server, sessions, .*agents$/)],
    ],
    [
      "an unknown key",
      "server:\n  port: 1\n  prot: 2",
      [
        'drover.yaml:3: unknown key "server.prot"; allowed: port, bind, allowRemote, hosts, roots, stopAgents',
      ],
    ],
    [
      "a value that is not one of the choices",
      "log:\n  level: loud",
      ['drover.yaml:2: log.level must be one of debug, info, warn, error, not "loud"'],
    ],
    [
      "a number out of range, and text instead of a number",
      "server:\n  port: 70000\nlog:\n  keep: many",
      [
        "drover.yaml:2: server.port must be a whole number from 0 to 65535, not 70000",
        'drover.yaml:4: log.keep must be a whole number from 0 to 1000, not "many"',
      ],
    ],
    [
      "a duration longer than a timer supports",
      "interactions: {timeout: 25d}\nstorage: {keepDeleted: 365d}\n",
      [
        'drover.yaml:1: interactions.timeout must be none, or a duration such as 250ms, 5s, 10m or 1h, at most 24d, not "25d"',
      ],
    ],
    [
      "a duration without a unit, and a size with an invalid one",
      "git: {timeout: 5}\nlog:\n  maxSize: 20MB",
      [
        "drover.yaml:1: git.timeout must be a duration such as 250ms, 5s, 10m or 1h, at most 24d, not 5",
        'drover.yaml:3: log.maxSize must be a size such as 64KiB, 4MiB or 1GiB, not "20MB"',
      ],
    ],
    [
      "an empty value, and a section that is not a map",
      "server:\n  port:\nlog: loud",
      [
        "drover.yaml:2: server.port must be a whole number from 0 to 65535, not null",
        "drover.yaml:3: log must be a map",
      ],
    ],
    ["a file that is a list", "- a\n- b", ["drover.yaml:1: must be a map of sections"]],
    [
      "a key given twice",
      "log: {}\nlog: {}",
      [expect.stringMatching(/^drover\.yaml:2: Map keys must be unique/)],
    ],
    [
      "an unterminated list",
      "server:\n  roots: [/srv\nlog: {}",
      ["drover.yaml:3: Flow sequence in block collection must be sufficiently indented and end with a ]"],
    ],
    [
      "a relative root",
      "server:\n  roots: [src]",
      ['drover.yaml:2: server.roots must be absolute paths, or start with ~; "src" does not'],
    ],
  ])("%s", async ([, yaml, expected]) => {
    expect(await complaints(yaml)).toEqual(expected);
  });

  test("in the environment, with the variable's name", async () => {
    expect(
      await complaints(undefined, {
        env: { DROVER_PORT: "http", DROVER__LOG__LEVLE: "info", DROVER__SERVER__STOPAGENTS: "maybe" },
      }),
    ).toEqual([
      expect.stringMatching(
        /^DROVER__LOG__LEVLE: unknown key "DROVER__LOG__LEVLE"; allowed: .*DROVER__LOG__LEVEL/,
      ),
      'DROVER__SERVER__STOPAGENTS: server.stopAgents must be true or false, not "maybe"',
      'DROVER_PORT: server.port must be a whole number from 0 to 65535, not "http"',
    ]);
  });
});

test("an address that other machines can reach must be allowed explicitly", async () => {
  for (const bind of ["0.0.0.0", "::", "192.168.1.5", "127.0.0.1.example.com"]) {
    expect(await complaints(`server: {bind: "${bind}"}`)).toEqual([
      expect.stringMatching(
        /server\.bind .* can be reached from other machines\. Set server\.allowRemote: true/,
      ),
    ]);
    expect(await complaints(`server: {bind: "${bind}", allowRemote: true}`)).toEqual([]);
  }
  for (const bind of ["127.0.0.1", "127.1.2.3", "::1", "localhost"]) {
    expect(await complaints(`server: {bind: "${bind}"}`)).toEqual([]);
  }
});
