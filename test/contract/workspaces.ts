import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Rejection, Result } from "@drover/core";
import { expect, test } from "vitest";
import type { WorkspaceManager } from "../../packages/server/src/ports.ts";

export interface WorkspaceStage extends AsyncDisposable {
  readonly manager: WorkspaceManager;
  /** A repository with one commit and the file `kept.txt`. */
  readonly directory: string;
}

const granted = <T>(result: Result<T, Rejection>): T => {
  if (!result.ok) throw new Error(`${result.error.code}: ${result.error.message}`);
  return result.value;
};

/** What holds for the workspaces of every mode. */
export function workspacesContract(open: () => Promise<WorkspaceStage>): void {
  const make = async ({ manager, directory }: WorkspaceStage) =>
    granted(await manager.create({ name: "fox", directory, trusted: false }, async () => undefined));

  test("a new workspace has the files of the directory that a person chose, and is ready", async () => {
    await using stage = await open();
    const { workspace, cwd } = await make(stage);
    expect(workspace).toMatchObject({ mode: stage.manager.mode, projectDir: stage.directory });
    expect(existsSync(join(cwd, "kept.txt"))).toBe(true);
    expect(await stage.manager.inspect({ workspace, cwd })).toEqual({ state: "ready" });
    expect(granted(await stage.manager.ports(workspace))).toEqual(workspace.ports);
    expect(granted(await stage.manager.changes({ workspace, cwd }))).toMatchObject({
      versioned: true,
      files: [],
    });
  });

  test("changes and diff show what was done in it", async () => {
    await using stage = await open();
    const place = await make(stage);
    await writeFile(join(place.cwd, "kept.txt"), "two\n");
    const { files } = granted(await stage.manager.changes(place));
    expect(files).toMatchObject([{ path: "kept.txt", status: "modified" }]);
    const chunks: Uint8Array[] = [];
    for await (const chunk of granted(await stage.manager.diff(place, undefined))) chunks.push(chunk);
    expect(Buffer.concat(chunks).toString()).toContain("+two");
  });

  test("files and lines are those of the session's own directory", async () => {
    await using stage = await open();
    const place = await make(stage);
    await writeFile(join(place.cwd, "kept.txt"), "two\n");
    await writeFile(join(place.cwd, "own.txt"), "");
    const { files } = granted(await stage.manager.files(place, { query: "own", limit: 5 }));
    expect(files).toEqual([{ path: "own.txt" }]);
    const query = { path: "kept.txt", side: "after", from: 1, to: 1 } as const;
    expect(granted(await stage.manager.fileLines(place, query))).toMatchObject({ total: 1, lines: ["two"] });
  });

  test("nothing is made before it is on record", async () => {
    await using stage = await open();
    const wanted = { name: "fox", directory: stage.directory, trusted: false };
    const existed: boolean[] = [];
    const { workspace } = granted(
      await stage.manager.create(wanted, async ({ path }) => void existed.push(existsSync(path))),
    );
    expect(existed).toEqual(workspace.path === stage.directory ? [] : [false]);
  });

  test("destroying it never removes the directory that a person chose, and may be repeated", async () => {
    await using stage = await open();
    const { workspace } = await make(stage);
    expect(granted(await stage.manager.keep(workspace, { force: false }))).toBeUndefined();
    await stage.manager.destroy(workspace, { isUnused: false });
    await stage.manager.destroy(workspace, { isUnused: false });
    expect(existsSync(join(stage.directory, "kept.txt"))).toBe(true);
    expect(existsSync(workspace.path)).toBe(workspace.path === stage.directory);
  });
}
