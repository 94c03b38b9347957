import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { treat } from "./mode-support.ts";
import { Staged } from "./support.ts";

test.for(["move", "delete"])("H4 no mode lets an agent %s a whole directory", async (kind) => {
  await using staged = await Staged.open({ agent: "asks-permission", settings: { permissionMode: "never" } });
  const at = (...names: string[]) => join(staged.directory, ...names);
  await mkdir(at("a/b/.git"), { recursive: true });
  await writeFile(at("file"), "");
  await symlink(at("a"), at("link"));
  for (const from of [at("a"), at("a/b"), at("link"), "a", staged.directory]) {
    expect(await treat(staged, { kind, rawInput: { from, to: at("new") } })).toBe("asks");
  }
  expect(await treat(staged, { kind, rawInput: { from: at("file"), to: at("new") } })).toBe("runs");
});
