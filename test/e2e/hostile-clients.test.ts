// Clients that try to lock the owner out: everything the owner uses keeps working meanwhile.
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { expect, test } from "vitest";
import { buildWeb } from "../../scripts/build-web.ts";
import { launchBrowser } from "../kit/browser.ts";
import { attack } from "../kit/hostile-clients.ts";
import { findChromium } from "../kit/programs.ts";
import { usually } from "../kit/soak.ts";
import { openSocket } from "../kit/socket.ts";
import { until } from "../kit/until.ts";
import { drover, kitAgent, openRig, openSession } from "./support.ts";
import { logIn, shownWords } from "./tab.ts";

/** Enough for hundreds of attempts, and little enough for the attackers not to need the processor themselves. */
const pauseMs = 20;

test("H11 half-open connections, silent readers, junk logins and huge bodies together do not lock the owner out", {
  timeout: 300_000,
}, async () => {
  await using rig = await openRig({
    agents: { kit: kitAgent("echo.mjs"), floods: kitAgent("floods.mjs", "--count", "20000") },
  });
  await using loud = await openSession(rig, "floods");
  await loud.turn("go", { deadline: 60_000 });
  await using before = await openSocket(rig.server);
  await using session = await openSession(rig);
  await session.turn("before");

  await using hostile = attack({ target: rig.server, sessionId: loud.id, pauseMs });
  const { damage } = hostile;
  const patience = { what: "all hostile clients are connected", deadline: 120_000 };
  await until(() => damage.opened >= 1_200 && damage.silentReaders === 20, patience);
  const start = { ...damage };
  for (let round = 1; round <= usually(1, { inSoak: 5 }); round++) {
    expect(await rig.client.get("/api/sessions")).toMatchObject({ sessions: [{}, {}] });
    expect(await session.turn(`round ${round}`)).toMatchObject({ ok: true });
    expect(await before.request("session:list")).toMatchObject({ type: "session:list" });
    await using socket = await openSocket(rig.server);
    expect(await socket.request("session:open", { sessionId: session.id })).toMatchObject({
      type: "session:history",
    });
    const listed = await drover(rig.home, "ls");
    expect(listed, listed.stderr).toMatchObject({ code: 0 });
    expect(listed.stdout).toContain((await session.get()).name);
  }
  // The attack never stopped, and none of the owner's streams was cut off.
  await until(
    () =>
      damage.opened > start.opened &&
      damage.junkLogins > start.junkLogins &&
      damage.hugeBodies > start.hugeBodies,
  );
  expect(session.follower.connections).toBe(1);
});

test.skipIf(!findChromium())(
  "H11 the page reloads and follows a turn during the attack (needs chromium)",
  {
    timeout: 300_000,
  },
  async () => {
    await buildWeb();
    await using browser = await launchBrowser();
    await using rig = await openRig({ agents: { kit: kitAgent("echo.mjs") } });
    await using session = await openSession(rig);
    await session.turn("before");
    await using tab = await logIn(browser, rig);
    await using hostile = attack({ target: rig.server, sessionId: session.id, pauseMs });
    await until(() => hostile.damage.opened >= 1_200, {
      what: "all hostile clients are connected",
      deadline: 120_000,
    });
    await tab.page.goto(`${rig.server.url}/#/s/${(await session.get()).name}`);
    await tab.page.reload();
    await session.turn("during");
    await until(async () => (await shownWords(tab.page)).endsWith("during"), { deadline: 60_000 });
  },
);

test("a port that another program uses on only one loopback address is refused with a clear message", async () => {
  await using rig = await openRig();
  await rig.server.term();
  await using squatter = createServer().listen(0, "::1");
  await once(squatter, "listening");
  const { port } = squatter.address() as AddressInfo;
  const refused = await drover(rig.home, "serve", "--port", String(port));
  expect(refused).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(`Port ${port} is in use on ::1`),
  });
});
