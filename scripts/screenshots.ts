// Takes screenshots of every page for docs/screenshots, light and dark, for desktop and phone: a real server, agents
// played by the demo agent, and the page as Chromium renders it.
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { launchBrowser } from "../test/kit/browser.ts";
import { type Server, startServer } from "../test/kit/server.ts";
import { tempDir } from "../test/kit/temp.ts";
import { buildTestedPackage } from "./build-package.ts";
import { root } from "./root.ts";
import { age } from "./screenshots/age.ts";
import { look } from "./screenshots/look.ts";
import { type Scene, scenes, unusedScenes } from "./screenshots/scenes.ts";
import { allPlans, stage, stagedAgents } from "./screenshots/stage.ts";

/** Parts of names; all scenes if there are none. */
const wanted = process.argv.slice(2);
const directory = join(root, "docs", "screenshots");
await buildTestedPackage();
if (wanted.length === 0) await rm(directory, { recursive: true, force: true });
await mkdir(directory, { recursive: true });

await using home = await tempDir("home-");
// With the mode that Drover gives it, so that doctor has nothing to report.
await mkdir(join(home.path, ".drover"), { mode: 0o700 });
const start = (config: Record<string, unknown>) => startServer({ home: home.path, config });
await using browser = await launchBrowser();
let pictures = 0;

/** Each scene four times. */
async function shoot(server: Server, all: readonly Scene[]): Promise<void> {
  const chosen = all.filter(({ name }) => wanted.length === 0 || wanted.some((part) => name.includes(part)));
  for (const scheme of ["light", "dark"] as const) {
    for (const device of ["desktop", "phone"] as const) {
      await using eye = await look(browser, server, { scheme, device });
      for (const { name, show } of chosen) {
        await show(eye);
        await eye.page.screenshot({ path: join(directory, `${name}-${device}-${scheme}.png`) });
        pictures++;
      }
    }
  }
}

const unused = await start({});
await shoot(unused, unusedScenes);
await unused.term();
// Few slots, so that a worker waits for one.
const staged = { agents: stagedAgents(), workers: { atOnce: 2 } };
const busy = await start(staged);
await stage(busy);
// The agents keep running, and their open requests wait for the next server.
await busy.term();
age(join(home.path, ".drover", "drover.db"), allPlans);
await using server = await start(staged);
await shoot(server, scenes);
console.log(`${pictures} pictures in docs/screenshots`);
