import { join } from "node:path";
import type { Session } from "@drover/core";
import type { Page } from "playwright-core";
import { launchBrowser } from "../../test/kit/browser.ts";
import { api } from "../../test/kit/http.ts";
import { findChromium } from "../../test/kit/programs.ts";
import { type Server, startServer } from "../../test/kit/server.ts";
import { until } from "../../test/kit/until.ts";
import { type DiffSize, frameFigures, makeRepository, rewrite, scroll } from "../kit/diff-page.ts";
import { now } from "../kit/unit.ts";
import type { Outcome, RunOptions, Scenario } from "../scenario.ts";

interface Opened {
  readonly page: Page;
  /** Until the first line was rendered. */
  readonly openMs: number;
}

/** Opens the review of a session whose worktree has a diff of this size, after the turn that it belongs to. */
async function openReview(server: Server, page: Page, size: DiffSize): Promise<Opened> {
  const name = `review-${size.files}-files`;
  const cwd = join(server.home, name);
  await makeRepository(cwd, size);
  const session = await api(server).post<Session>("/api/sessions", {
    ...{ agent: "demo", cwd, name, workspace: "worktree" },
  });
  await rewrite(session.workspace.path, size, "after");
  await api(server).post(`/api/sessions/${session.id}/messages`, { content: "say It is done." });
  const read = () => api(server).get<Session>(`/api/sessions/${session.id}`);
  await until(async () => (await read()).review?.files === size.files, { deadline: 60_000 });
  await page.goto(`${server.url}/#/s/${name}`);
  await page.getByRole("link", { name: "Review", exact: true }).waitFor();
  const start = now();
  await page.evaluate((address) => {
    location.hash = address;
  }, `#/s/${name}/review`);
  const diff = page.getByRole("region", { name: "Diff", exact: true });
  await diff.getByText("const value0 = compute").first().waitFor();
  return { page, openMs: (now() - start) / 1e3 };
}

async function measure(server: Server, page: Page, { smoke, progress }: RunOptions): Promise<Outcome> {
  const many = smoke ? { files: 20, lines: 10 } : { files: 2_000, lines: 10 };
  const large = smoke ? { files: 4, lines: 500 } : { files: 40, lines: 2_500 };
  progress(`${many.files} files`);
  const { openMs } = await openReview(server, page, many);
  await page.getByText(`0 of ${many.files.toLocaleString("en")} viewed`).waitFor();
  await page.getByText("Ready for review").first().waitFor();
  const frames = smoke ? 30 : 600;
  const short = await scroll(page, { pixelsPerFrame: 120, frames });

  progress(`${2 * large.files * large.lines} changed lines`);
  const { openMs: largeMs } = await openReview(server, page, large);
  progress("scrolled down line by line");
  const slow = await scroll(page, { pixelsPerFrame: 120, frames });
  progress("dragged from end to end");
  const diff = page.locator("section[aria-label=Diff]");
  const total = await diff.evaluate((box) => box.scrollHeight);
  const drag = await scroll(page, { pixelsPerFrame: Math.ceil(total / frames), frames: frames + 10 });
  await diff.evaluate((box) => box.scrollTo(0, box.scrollHeight));
  await page
    .getByText(`const value${large.lines - 1} = compute(after`)
    .last()
    .waitFor();
  progress("side by side, scrolled up");
  await page.getByRole("button", { name: "Side by side" }).click();
  const split = await scroll(page, { pixelsPerFrame: -120, frames });
  const devtools = await page.context().newCDPSession(page);
  const { nodes } = await devtools.send("Memory.getDOMCounters");
  return {
    figures: [
      { what: `${many.files} files opened, to the first line`, value: openMs, unit: "ms", target: "< 1 s" },
      ...frameFigures(`${many.files} files scrolled`, short),
      { what: "200 k lines opened, to the first line", value: largeMs, unit: "ms" },
      ...frameFigures("200 k lines scrolled, unified", slow),
      ...frameFigures("200 k lines dragged from end to end", drag),
      ...frameFigures("200 k lines scrolled, side by side", split),
    ],
    checks: [{ what: "the document stays small", ok: nodes < 60_000, seen: `${nodes} nodes` }],
  };
}

export const b16: Scenario = {
  id: "B16",
  title: "the Review tab in Chromium: a diff of 2,000 files opened, one of 200 k lines scrolled",
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
