import type { ProposalText } from "@drover/core";
import { describe, expect, test } from "vitest";
import { findChromium } from "../../../test/kit/programs.ts";
import { seriousFindings } from "./axe.ts";
import { newId } from "./fixture/session.ts";
import { lookFindings } from "./look.ts";
import { sharedBrowser } from "./shared-browser.ts";
import { button, pressInOneGo, visit } from "./visit.ts";
import { addWorker } from "./workers.ts";

describe.skipIf(!findChromium())("the proposals of a worker (needs chromium)", () => {
  const browser = sharedBrowser();

  test("are listed with the text of each, and what is wrong with those that can't be used", async () => {
    await using visited = await visit(browser);
    const { page, server } = visited;
    const { session } = addWorker(visited, "plan", {
      title: "Plan the shop",
      worker: { proposals: { open: 2, invalid: 1 } },
    });
    const propose = (title: string, more: Partial<ProposalText> = {}) =>
      server.proposals.push({
        ...{ id: newId("prp"), sessionId: session.id, run: 1, kind: "phase", action: "create" },
        ...{ title, meta: { dependsOn: ["Cart"] }, file: `phases/${title}.md`, size: 12, state: "open" },
        ...{ createdAt: new Date().toISOString(), body: `# ${title}\n\nAll of **it**.` },
        ...more,
      });
    propose("Cart");
    propose("Checkout");
    propose("Shipping", { state: "invalid", problem: "Its front matter is no YAML." });
    await page.goto(`${server.url}/#/s/plan`);
    await page.getByRole("link", { name: "Proposals" }).waitFor();
    await pressInOneGo(page, "g", "o");
    await page.waitForURL(/proposals$/);
    const open = page.getByRole("region", { name: "Open" });
    await open.getByRole("button", { name: "Cart" }).press("Enter");
    await open.getByText("All of it.").waitFor();
    await open.getByText("dependsOn").waitFor();
    await page.getByRole("region", { name: "Can't be used" }).getByText("no YAML").waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    expect(await lookFindings(page)).toEqual([]);
    const [saved] = await Promise.all([page.waitForEvent("download"), button(page, "Save").click()]);
    expect(saved.suggestedFilename()).toBe("cart.md");

    await page.setViewportSize({ width: 390, height: 780 });
    expect(await seriousFindings(page)).toEqual([]);
    await button(page, "Delete").click();
    await open.getByRole("listitem", { name: "Cart" }).waitFor({ state: "detached" });
    expect(server.proposals.map(({ title }) => title)).toEqual(["Checkout", "Shipping"]);
  });
});
