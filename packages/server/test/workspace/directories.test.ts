import { mkdir, realpath, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { tempDir } from "../../../../test/kit/temp.ts";
import { directories } from "../../src/workspace/directories.ts";

async function stage() {
  const directory = await tempDir();
  const top = await realpath(directory.path);
  const home = join(top, "home", "ada");
  for (const name of ["projects/drover", "projects/.hidden", "pictures"])
    await mkdir(join(home, name), { recursive: true });
  await mkdir(join(top, "home", "eve", "private"), { recursive: true });
  await writeFile(join(home, "plan.txt"), "");
  await symlink(join(top, "home", "eve"), join(home, "public"));
  await symlink(join(home, "projects"), join(home, "pro-link"));
  const known = directories({ home, roots: () => [home], tour: join(top, "tour") });
  const find = (typed: string) => known.subdirectories(typed, 10);
  return { top, home, find, known, [Symbol.asyncDispose]: () => directory[Symbol.asyncDispose]() };
}

test("a directory is found by the start of its name; a file and a link out of the roots are not", async () => {
  await using at = await stage();
  expect(await at.find(`${at.home}/p`)).toEqual(
    ["pictures", "pro-link", "projects"].map((name) => join(at.home, name)),
  );
  expect(await at.find(`${at.home}/projects/`)).toEqual([join(at.home, "projects/drover")]);
  expect(await at.find(`${at.home}/projects/.h`)).toEqual([join(at.home, "projects/.hidden")]);
});

test("nothing outside the roots is listed, no matter how the path is written", async () => {
  await using at = await stage();
  for (const path of ["home/eve/", "home/ada/../eve/", "home/ada/public/", "home/ada/public/p"])
    expect(await at.find(`${at.top}/${path}`), path).toEqual([]);
  expect(await at.find(`${at.top}/home/a`)).toEqual([at.home]);
  expect(await at.find("")).toEqual([at.home]);
});

test("~ stands for the user's home, in input and in results", async () => {
  await using at = await stage();
  expect(await at.find("~/proj")).toEqual(["~/projects"]);
  expect(await at.find("~")).toEqual(["~/pictures", "~/pro-link", "~/projects"]);
  expect(await at.known.resolvePath("~/projects", "cwd")).toEqual({
    ok: true,
    value: join(at.home, "projects"),
  });
  expect(await at.known.resolvePath("~eve", "cwd")).toMatchObject({ ok: false });
});
