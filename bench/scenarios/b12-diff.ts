import { join } from "node:path";
import type { Session } from "@drover/core";
import type { Page } from "playwright-core";
import { launchBrowser } from "../../test/kit/browser.ts";
import { api } from "../../test/kit/http.ts";
import { findChromium } from "../../test/kit/programs.ts";
import { type Server, startServer } from "../../test/kit/server.ts";
import { fileName, frameFigures, makeRepository, rewrite, scroll } from "../kit/diff-page.ts";
import { now } from "../kit/unit.ts";
import type { Outcome, RunOptions, Scenario } from "../scenario.ts";

async function measure(server: Server, page: Page, { smoke, progress }: RunOptions): Promise<Outcome> {
  const size = smoke ? { files: 4, lines: 500 } : { files: 40, lines: 2_500 };
  const rows = 2 * size.files * size.lines;
  const cwd = join(server.home, "work");
  progress(`${rows} changed lines: writing`);
  await makeRepository(cwd, size);
  await rewrite(cwd, size, "after");
  const session = await api(server).post<Session>("/api/sessions", { agent: "demo", cwd });
  await page.goto(`${server.url}/#/s/${session.name}`);
  await page.getByRole("link", { name: "Changes" }).waitFor();
  const start = now();
  await page.evaluate((name) => {
    location.hash = `#/s/${name}/changes`;
  }, session.name);
  await page.getByText("const value0 = compute").first().waitFor();
  const openMs = (now() - start) / 1e3;

  const frames = smoke ? 30 : 600;
  progress("scrolled down line by line");
  const slow = await scroll(page, { pixelsPerFrame: 120, frames });
  progress("dragged from end to end");
  const total = await page.locator("section[aria-label=Diff]").evaluate((box) => box.scrollHeight);
  const drag = await scroll(page, { pixelsPerFrame: Math.ceil(total / frames), frames: frames + 10 });
  const end = page.getByText(`const value${size.lines - 1} = compute(after`).last();
  await page.locator("section[aria-label=Diff]").evaluate((box) => box.scrollTo(0, box.scrollHeight));
  await end.waitFor();
  progress("side by side, scrolled up");
  await page.getByRole("button", { name: "Side by side" }).click();
  const split = await scroll(page, { pixelsPerFrame: -120, frames });

  progress("reading every file");
  for (let file = 0; file < size.files; file++) {
    const name = fileName(file);
    await page.getByRole("navigation", { name: "Changed files" }).getByTitle(name).click();
    const lines = page.getByRole("region", { name });
    await lines.getByText("const value0 = compute").first().waitFor();
  }
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("HeapProfiler.collectGarbage");
  const { usedSize } = await devtools.send("Runtime.getHeapUsage");
  const { nodes } = await devtools.send("Memory.getDOMCounters");
  const heapMb = usedSize / 1024 ** 2;
  return {
    figures: [
      { what: "opened, to the first line", value: openMs, unit: "ms" },
      ...frameFigures("scrolled, unified", slow),
      ...frameFigures("dragged from end to end", drag),
      ...frameFigures("scrolled, side by side", split),
      { what: "heap, everything read", value: heapMb, unit: "MB", target: "< 300 MB" },
      { what: "nodes of the document", value: nodes, unit: "" },
    ],
    checks: [
      { what: "the document stays small", ok: nodes < 30_000, seen: `${nodes} nodes` },
      { what: "the heap stays small", ok: heapMb < 300, seen: `${heapMb} MB` },
    ],
  };
}

export const b12Diff: Scenario = {
  id: "B12d",
  title: "the page in Chromium: a diff of 200 k lines opened and scrolled, in one column and in two",
  async run(options) {
    if (!findChromium()) {
      options.progress("Chromium is not installed; skipped");
      return { figures: [], checks: [] };
    }
    await using server = await startServer({
      config: { git: { timeout: "60s" }, log: { level: "warn" } },
    });
    await using browser = await launchBrowser();
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    await page.goto(server.login);
    await page.waitForURL(`${server.url}/`);
    return await measure(server, page, options);
  },
};
