import { describe, expect, test } from "vitest";
import { aSession, sessionId } from "./fixtures.ts";
import { suite } from "./suite.ts";

const t = suite();

const otter = aSession();
const heron = aSession({ id: "ses_01hv0000000000000000000002", name: "calm-heron", archived: true });
const lynx = aSession({ id: "ses_01hw0000000000000000000003", name: "sly-lynx" });

/** Makes the server list these sessions, one per page. */
function know(...sessions: (typeof otter)[]): void {
  t.server.routes["GET /api/sessions"] = ({ path }) => {
    const query = new URL(path, "http://x").searchParams;
    const listed = sessions.filter(({ archived }) => String(archived) === query.get("archived"));
    const start = Number(query.get("before") ?? 0);
    const more = start + 1 < listed.length ? { before: String(start + 1) } : {};
    return { body: { sessions: listed.slice(start, start + 1), ...more } };
  };
}

const sessionRequests = () => t.server.asked.filter(({ path }) => path.startsWith("/api/sessions/"));

describe("a session is found by the start of its id", () => {
  test.for([
    ["show"],
    ["logs"],
    ["diff", "--stat"],
    ["wait"],
    ["interrupt"],
    ["stop"],
    ["resume"],
    ["rm"],
    ["fork"],
    ["send", "more"],
  ])("by %j", async ([command = "", ...more]) => {
    know(otter, lynx);
    Object.assign(t.server.routes, {
      "POST /api/sessions/:id/fork": () => ({ status: 201, body: otter }),
      "GET /api/sessions/:id/workspace": () => ({ body: { path: "/", versioned: true, files: [] } }),
    });
    for (const reference of ["ses_01hv", "01hv0"]) {
      expect((await t.run(command, reference, ...more)).code).toBe(0);
    }
    expect(sessionRequests().length).toBeGreaterThanOrEqual(2);
    for (const { path } of sessionRequests()) expect(path).toContain(`/${sessionId}`);
  });

  test("by attach", async () => {
    know(otter, lynx);
    const cli = t.drover(["attach", "ses_01hv", "--json"]);
    await cli.says('"type":"snapshot"');
    cli.interrupt();
    await cli.ended;
    for (const { path } of sessionRequests()) expect(path).toContain(`/${sessionId}`);
  });

  test("and an ambiguous start is exit 6 and lists the candidates, archived ones included", async () => {
    know(otter, lynx, heron);
    const { code, stderr } = await t.run("rm", "ses_01hv");
    expect(code).toBe(6);
    expect(stderr).toBe(
      '"ses_01hv" matches 2 sessions.\n' +
        `Use a name or more of the id: ${otter.id} (brave-otter), ${heron.id} (calm-heron)\n`,
    );
    expect(sessionRequests()).toEqual([]);
  });

  test("and a start that matches nothing is exit 5", async () => {
    know(otter);
    const { code, stderr } = await t.run("show", "ses_7");
    expect(code).toBe(5);
    expect(stderr).toBe('No session id starts with "ses_7".\n`drover ls` lists the sessions.\n');
  });
});

test("a name or full id needs no list of sessions, and names are never completed", async () => {
  know(otter);
  for (const reference of ["brave-otter", "brave", sessionId]) await t.run("rm", reference);
  expect(t.server.asked.some(({ path }) => path.startsWith("/api/sessions?"))).toBe(false);
  const removed = t.server.asked.filter(({ method }) => method === "DELETE").map(({ path }) => path);
  expect(removed).toEqual(["brave-otter", "brave", sessionId].map((one) => `/api/sessions/${one}`));
});

test("an unknown session is exit 5, by its name or id, with the command that lists sessions", async () => {
  t.server.routes["GET /api/sessions/:id"] = () => ({
    status: 404,
    body: {
      error: "There is no session; list them with GET /api/sessions",
      code: "NOT_FOUND",
      what: "session",
    },
  });
  expect(await t.run("show", "nope")).toEqual({
    code: 5,
    stdout: "",
    stderr: 'No session named "nope"\n`drover ls` lists the sessions.\n',
  });
  expect((await t.run("show", sessionId)).stderr).toContain(`No session with the id "${sessionId}"`);
});
