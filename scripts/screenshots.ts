// Pictures of every page, light and dark, on a desk and on a phone, into docs/screenshots: a real server in a home of
// its own, the demo agent at work in it, and the page as Chromium draws it.
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { launchBrowser } from "../test/kit/browser.ts";
import { startServer } from "../test/kit/server.ts";
import { tempDir } from "../test/kit/temp.ts";
import { buildTestedPackage } from "./build-package.ts";
import { root } from "./root.ts";
import { look } from "./screenshots/look.ts";
import { emptyScenes, type Scene, scenes } from "./screenshots/scenes.ts";
import { stage } from "./screenshots/stage.ts";

const wanted = process.argv[2];
const directory = join(root, "docs", "screenshots");
await buildTestedPackage();
if (!wanted) await rm(directory, { recursive: true, force: true });
await mkdir(directory, { recursive: true });

await using home = await tempDir("home-");
// As Drover makes it: doctor has nothing to say about it.
await mkdir(join(home.path, ".drover"), { mode: 0o700 });
await using server = await startServer({ home: home.path, config: { interactions: { timeout: "1h" } } });
await using browser = await launchBrowser();
let pictures = 0;

/** Each scene four times. */
async function shoot(all: readonly Scene[]): Promise<void> {
  const chosen = all.filter(({ name }) => !wanted || name.includes(wanted));
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

await shoot(emptyScenes);
await stage(server);
await shoot(scenes);
console.log(`${pictures} pictures in docs/screenshots`);
