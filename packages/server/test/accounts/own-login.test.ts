import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { tempDir } from "../../../../test/kit/temp.ts";
import { findOwnLogin } from "../../src/accounts/own-login.ts";

const login = {
  home: "~/.agent",
  homeEnv: "AGENT_HOME",
  file: "login.json",
  token: { accessToken: ["login", "accessToken"], expiresAt: ["login", "expiresAt"] },
};

test("K4 an agent's own login is found where its program looks for it, and read without being changed", async () => {
  await using home = await tempDir();
  const env = { HOME: home.path };
  const moved = { ...env, AGENT_HOME: join(home.path, "moved") };
  const write = async (directory: string, content: string) => {
    await mkdir(join(home.path, directory), { recursive: true });
    await writeFile(join(home.path, directory, "login.json"), content);
  };
  expect(await findOwnLogin(login, env)).toBeUndefined();
  await write(".agent", JSON.stringify({ login: { accessToken: "a", expiresAt: null } }));
  await write("moved", JSON.stringify({ login: { accessToken: "b", expiresAt: 1_000 } }));
  expect(await findOwnLogin(login, env)).toEqual({
    path: join(home.path, ".agent/login.json"),
    isExpired: false,
  });
  expect(await findOwnLogin(login, moved)).toEqual({
    path: join(home.path, "moved/login.json"),
    expiresAt: "1970-01-01T00:00:01.000Z",
    isExpired: true,
  });
  for (const content of ["", "{}", "[]", "null", '{"login":{}}']) {
    await write(".agent", content);
    expect(await findOwnLogin(login, env)).toBeUndefined();
  }
});
