import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Staged } from "./support.ts";

/** How a session in mode `never` treats a request: it runs, or a person is asked. */
async function treat(staged: Staged, request: Record<string, unknown>): Promise<"runs" | "asks"> {
  const { id } = await staged.create();
  await staged.send(id, JSON.stringify(request));
  const settled = await staged.when(id, ({ turn, openInteractions }) => !turn || openInteractions === 1);
  return settled.turn ? "asks" : "runs";
}

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
