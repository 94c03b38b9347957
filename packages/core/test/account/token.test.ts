import { describe, expect, test } from "vitest";
import { readToken, type TokenState, tokenState } from "../../src/account/token.ts";

const now = Date.parse("2026-11-19T12:00:00.000Z");
const minutes = (count: number) => now + count * 60_000;
const paths = {
  accessToken: ["login", "accessToken"],
  refreshToken: ["login", "refreshToken"],
  expiresAt: ["login", "expiresAt"],
};

describe("K4 a token", () => {
  test.each<[login: Record<string, unknown>, state: TokenState]>([
    [{}, "live"],
    [{ expiresAt: null }, "live"],
    [{ expiresAt: null, refreshToken: "r" }, "live"],
    [{ expiresAt: minutes(5) }, "live"],
    [{ expiresAt: minutes(4.9) }, "expired"],
    [{ expiresAt: minutes(-1) }, "expired"],
    [{ expiresAt: minutes(4.9), refreshToken: "r" }, "renewable"],
    [{ expiresAt: minutes(-1), refreshToken: "" }, "expired"],
  ])("with %j is %s", (login, state) => {
    const token = readToken({ login: { accessToken: "a", ...login } }, paths);
    expect(token && tokenState(token, now)).toBe(state);
  });

  test.each([
    undefined,
    null,
    "text",
    [],
    {},
    { login: null },
    { login: { accessToken: "" } },
    { login: { accessToken: 1 } },
  ])("is not found in %j", (content) => {
    expect(readToken(content, paths)).toBeUndefined();
  });

  test("is read without what its vendor does not store", () => {
    expect(readToken({ key: "a" }, { accessToken: ["key"] })).toEqual({ accessToken: "a" });
    expect(readToken({ login: { accessToken: "a", expiresAt: 1e20 } }, paths)).toEqual({ accessToken: "a" });
  });
});
