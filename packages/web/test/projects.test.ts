import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { findChromium } from "../../../test/kit/programs.ts";
import { until } from "../../../test/kit/until.ts";
import { seriousFindings } from "./axe.ts";
import { newSession, type RealVisit, sharedServer } from "./real-visit.ts";
import { sharedBrowser } from "./shared-browser.ts";

interface Project {
  readonly id: string;
  readonly name: string;
  readonly trusted: boolean;
  readonly env: readonly string[];
  readonly workspace?: string;
  readonly setup: readonly (readonly string[])[];
  readonly checks?: readonly (readonly string[])[];
  readonly target?: string;
}

const projectsOf = async ({ client }: RealVisit) =>
  (await client.get<{ projects: Project[] }>("/api/projects")).projects;

describe.skipIf(!findChromium())("the projects page (needs chromium)", () => {
  const visitShared = sharedServer(sharedBrowser());

  /** A page of a server without the project that a new home starts with. */
  async function visitWithoutProjects(): Promise<RealVisit> {
    const visit = await visitShared();
    for (const { id } of await projectsOf(visit)) await visit.client.delete(`/api/projects/${id}`);
    return visit;
  }

  test("trusts a project only after explaining what that means, and revokes it at once", async () => {
    await using visit = await visitWithoutProjects();
    const { page, server } = visit;
    await newSession(visit);
    await page.goto(`${server.url}/#/projects`);
    await page.getByText("Not trusted", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Trust…" }).click();
    const dialog = page.getByRole("dialog", { name: "Trust work?" });
    await dialog.getByText("can then run commands as you").waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    expect(await projectsOf(visit)).toMatchObject([{ trusted: false }]);
    await dialog.getByRole("button", { name: "Trust this project" }).click();
    await page.getByText("Trusted", { exact: true }).waitFor();
    expect(await projectsOf(visit)).toMatchObject([{ trusted: true }]);
    await page.getByRole("button", { name: "Stop trusting" }).click();
    await page.getByText("Not trusted", { exact: true }).waitFor();
    expect(await projectsOf(visit)).toMatchObject([{ trusted: false }]);
  });

  test("accepts variables and never shows their values again", async () => {
    await using visit = await visitWithoutProjects();
    const { page, server, complaints } = visit;
    await newSession(visit);
    await page.goto(`${server.url}/#/projects`);
    await page.getByRole("button", { name: "Add variable" }).click();
    await page.getByLabel("Variable name").fill("API_KEY");
    await page.getByLabel("Variable value").fill("made-up-secret");
    expect(await page.getByLabel("Variable value").getAttribute("type")).toBe("password");
    await page.getByRole("button", { name: "Set", exact: true }).click();
    await page.getByText("API_KEY").waitFor();
    expect(await projectsOf(visit)).toMatchObject([{ env: ["API_KEY"] }]);
    expect(await page.content()).not.toContain("made-up-secret");
    await page.getByRole("button", { name: "Remove API_KEY" }).click();
    await page.getByText("No variables").waitFor();
    expect(await projectsOf(visit)).toMatchObject([{ env: [] }]);
    expect(complaints).toEqual([]);
  });

  test("chooses how new sessions work: workspace, setup commands, checks and target", async () => {
    await using visit = await visitWithoutProjects();
    const { page, server, client } = visit;
    await newSession(visit);
    await page.goto(`${server.url}/#/projects`);
    const card = page.getByRole("region", { name: "work" });
    await card.getByText("In this directory, by default").waitFor();
    const dialog = page.getByRole("dialog", { name: "Sessions of work" });
    const open = () => card.getByRole("button", { name: "Change…" }).click();
    await open();
    await dialog.getByText("Worktrees", { exact: true }).click();
    await dialog.getByText("a checkout of its own").waitFor();
    const setup = dialog.getByLabel("Setup commands");
    await setup.fill("npm ci && make\n");
    expect(await seriousFindings(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.getByRole("alert").getByText('Only a shell understands "&& make"').waitFor();
    expect(await setup.getAttribute("aria-invalid")).toBe("true");
    expect((await projectsOf(visit))[0]).not.toHaveProperty("workspace");
    await setup.fill("npm ci\n\nsh -c 'make && make install'\n");
    await dialog.getByLabel("Checks").fill("npm test");
    await dialog.getByLabel("Merge into").fill("develop");
    await dialog.getByRole("button", { name: "Save" }).click();
    await card.getByText("In worktrees · 2 setup commands · 1 check · merge into develop").waitFor();
    const commands = [
      ["npm", "ci"],
      ["sh", "-c", "make && make install"],
    ];
    const saved = { workspace: "worktree", setup: commands, checks: [["npm", "test"]], target: "develop" };
    const [project] = await projectsOf(visit);
    expect(project).toMatchObject(saved);

    // What someone else has changed meanwhile stays.
    await open();
    expect(await setup.inputValue()).toBe("npm ci\nsh -c 'make && make install'");
    await client.patch(`/api/projects/${project?.id}`, { checks: [["make", "check"]] });
    await setup.fill("");
    await dialog.getByText("Default", { exact: true }).click();
    await dialog.getByLabel("Merge into").fill("");
    await dialog.getByRole("button", { name: "Save" }).click();
    await card.getByText("In this directory, by default · 1 check", { exact: true }).waitFor();
    const [changed] = await projectsOf(visit);
    expect(changed).toMatchObject({ setup: [], checks: [["make", "check"]] });
    expect(changed).not.toHaveProperty("workspace");
    expect(changed).not.toHaveProperty("target");
  });

  test("adds, renames and removes projects, and says why one cannot be added", async () => {
    await using visit = await visitWithoutProjects();
    const { page, server } = visit;
    await page.goto(`${server.url}/#/projects`);
    await page.getByText("No projects yet").waitFor();
    const path = join(server.home, "orchard");
    await mkdir(path);
    const field = page.getByLabel("New project directory");
    await field.fill("/etc");
    await page.getByRole("button", { name: "Add project" }).click();
    await page.getByRole("alert").getByText("outside the allowed directories").waitFor();
    const description = await field.evaluate((input: HTMLInputElement) =>
      document.getElementById(input.getAttribute("aria-describedby") ?? "")?.textContent?.trim(),
    );
    expect(description).toContain("outside the allowed directories");
    expect(await field.getAttribute("aria-invalid")).toBe("true");
    await field.fill(path);
    await page.getByRole("button", { name: "Add project" }).click();
    await page.getByRole("heading", { name: "orchard" }).waitFor();
    await page.getByRole("button", { name: "More actions for orchard" }).click();
    await page.getByRole("menuitem", { name: "Rename" }).click();
    await page.getByLabel("New name").fill('<img src=x onerror="alert(1)">');
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "<img src=x" }).waitFor();
    await page.getByRole("button", { name: /^More actions for/ }).click();
    await page.getByRole("menuitem", { name: "Remove…" }).click();
    await page.getByRole("button", { name: "Remove project" }).waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await page.getByRole("button", { name: "Remove project" }).click();
    await page.getByText("No projects yet").waitFor();
    await until(async () => (await projectsOf(visit)).length === 0, { what: "it is forgotten" });
  });
});
