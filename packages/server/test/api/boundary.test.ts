import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type TempDir, tempDir } from "../../../../test/kit/temp.ts";
import { resolveInBoundary } from "../../src/workspace/boundary.ts";

let dir: TempDir;
let root: string;
beforeAll(async () => {
  dir = await tempDir();
  root = join(dir.path, "srv", "a");
  await mkdir(join(root, "inside"), { recursive: true });
  await mkdir(join(dir.path, "srv", "a-evil"));
  await writeFile(join(root, "file"), "");
  await symlink(join(dir.path, "srv", "a-evil"), join(root, "out"));
  await symlink(join(root, "inside"), join(root, "in"));
  await symlink(join(dir.path, "nothing-yet"), join(root, "dangling"));
  await symlink(join(root, "loop"), join(root, "loop"));
  await symlink(root, join(dir.path, "alias"));
});
afterAll(() => dir.remove());

const at = (...parts: string[]) => join(root, ...parts);

describe("W6 a client's path", () => {
  test.each([
    { name: "the root itself", path: () => root, real: () => root },
    { name: "a directory in it", path: () => at("inside"), real: () => at("inside") },
    { name: "a link that stays inside", path: () => at("in"), real: () => at("inside") },
    { name: "a path that does not exist yet", path: () => at("new", "deep"), real: () => at("new", "deep") },
    {
      name: "a missing path behind a link",
      path: () => at("in", "new"),
      real: () => at("inside", "new"),
    },
    { name: "a path that leaves and returns", path: () => `${root}/../a/inside`, real: () => at("inside") },
    { name: "a name that starts with dots", path: () => at("..name"), real: () => at("..name") },
    {
      name: "the root by another name",
      path: () => join(dir.path, "alias", "inside"),
      real: () => at("inside"),
    },
  ])("$name is allowed, and resolved to its real path", async ({ path, real }) => {
    expect(await resolveInBoundary(path(), [root])).toEqual({ ok: true, value: real() });
  });

  test.each([
    {
      name: "a directory whose name starts like the root's",
      path: () => `${root}-evil`,
      code: "OUTSIDE_BOUNDARY",
    },
    { name: "the parent", path: () => join(root, ".."), code: "OUTSIDE_BOUNDARY" },
    {
      name: "a path that leaves through ..",
      path: () => `${root}/inside/../../a-evil`,
      code: "OUTSIDE_BOUNDARY",
    },
    { name: "a link that leads out", path: () => at("out"), code: "OUTSIDE_BOUNDARY" },
    {
      name: "a missing path behind such a link",
      path: () => at("out", "new"),
      code: "OUTSIDE_BOUNDARY",
    },
    { name: "a link to nothing", path: () => at("dangling"), code: "OUTSIDE_BOUNDARY" },
    { name: "a path below a link to nothing", path: () => at("dangling", "new"), code: "OUTSIDE_BOUNDARY" },
    { name: "a link to itself", path: () => at("loop"), code: "PERMISSION_DENIED" },
    { name: "somewhere else", path: () => "/etc/passwd", code: "OUTSIDE_BOUNDARY" },
    { name: "a NUL", path: () => `${root}/a\0b`, code: "NULL_BYTE" },
    { name: "a relative path", path: () => "inside", code: "BAD_REQUEST" },
    { name: "an empty path", path: () => "", code: "BAD_REQUEST" },
    { name: "a path longer than the limit", path: () => at("x/".repeat(5_000)), code: "BAD_REQUEST" },
  ])("$name is refused with $code", async ({ path, code }) => {
    expect(await resolveInBoundary(path(), [root])).toMatchObject({ ok: false, error: { code } });
  });

  test("may be in any of the roots; missing roots are ignored", async () => {
    const roots = [join(dir.path, "missing"), root];
    expect(await resolveInBoundary(at("inside"), roots)).toMatchObject({ ok: true });
    expect(await resolveInBoundary(join(dir.path, "missing", "x"), roots)).toMatchObject({ ok: false });
    expect(await resolveInBoundary(root, [])).toMatchObject({ ok: false });
  });
});
