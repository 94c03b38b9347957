import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { kitAgent } from "../../../test/e2e/support.ts";
import { findChromium } from "../../../test/kit/programs.ts";
import { until } from "../../../test/kit/until.ts";
import { FixtureSession } from "./fixture/session.ts";
import { newSession, visitServer } from "./real-visit.ts";
import { seenIn } from "./seen.ts";
import { sharedBrowser } from "./shared-browser.ts";
import { type Visit, visit } from "./visit.ts";

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const cardOf = (page: Page) => page.locator("[data-interaction]");

describe.skipIf(!findChromium())("approval cards (need chromium)", () => {
  const browser = sharedBrowser();

  /** The inbox with one session. */
  async function open(details: ConstructorParameters<typeof FixtureSession>[0] = {}) {
    const visited: Visit = await visit(browser);
    const session = visited.server.add(new FixtureSession(details));
    session.begin("go");
    await visited.page.goto(`${visited.server.url}/#/inbox`);
    return { ...visited, session };
  }

  const approvals = ({ server }: Visit) => server.frames.filter(({ type }) => type === "session:approve");

  test("H4 every approval names the input that was shown; if the input has changed since, it is refused", async () => {
    await using visited = await open();
    const { page, session } = visited;
    const asked = session.ask("c1", { toolKind: "execute", input: { command: "ls" } });
    await cardOf(page).waitFor();
    session.state = {
      ...session.state,
      interactions: session.state.interactions.map((one) => ({ ...one, inputHash: "another" })),
    };
    for (const name of ["Approve", "Approve ls for this session"]) {
      await button(page, name).click();
      await cardOf(page).getByRole("alert").getByText("The input has changed since you saw it").waitFor();
    }
    expect(approvals(visited).map(({ inputHash }) => inputHash)).toEqual([asked.inputHash, asked.inputHash]);
    expect(session.resolved).toEqual([]);
  });

  test("H4 a request that changes on screen accepts no answer until the person has seen the change", async () => {
    await using visited = await open();
    const { page, session } = visited;
    session.ask("c1", { toolKind: "execute", input: { command: "ls" } });
    await cardOf(page).click();
    const changed = session.change("c1", { command: "rm -rf precious" });
    await cardOf(page).getByRole("alert").getByText("The agent changed this request").waitFor();
    await page.keyboard.press("y");
    await button(page, "Approve").click();
    await button(page, "Review the new request").click();
    await cardOf(page).getByRole("alert").waitFor({ state: "detached" });
    expect(approvals(visited)).toEqual([]);
    await page.keyboard.press("y");
    await until(() => session.resolved.length === 1);
    expect(approvals(visited).map(({ inputHash }) => inputHash)).toEqual([changed.inputHash]);
  });

  test("H4 approvals of plans and of edited input name the input too", async () => {
    await using visited = await open();
    const { page, session } = visited;
    const asked = [session.ask("c1", { toolKind: "plan", input: { plan: "# P" } })];
    await button(page, "Approve and accept edits").click();
    await until(() => session.resolved.length === 1);
    asked.push(session.ask("c2", { toolKind: "execute", input: { command: "ls" } }));
    await button(page, "Edit").click();
    await page.getByLabel("Command to run").fill("ls -l");
    await button(page, "Approve with changes").click();
    await until(() => session.resolved.length === 2);
    expect(approvals(visited).map(({ inputHash }) => inputHash)).toEqual(
      asked.map(({ inputHash }) => inputHash),
    );
  });

  test("H4 the editor for an input shows everything that will be approved, including hidden characters and extra keys", async () => {
    await using visited = await open();
    const { page, session } = visited;
    const input = { command: "ls \u202e", cwd: "/", env: { PATH: "/tmp/evil" } };
    session.ask("c1", { toolKind: "execute", input });
    await button(page, "Edit").click();
    const { text } = await seenIn(cardOf(page));
    for (const one of ["ls ⟨U+202E⟩", '"cwd": "/"', '"PATH": "/tmp/evil"']) expect(text).toContain(one);
    await page.getByLabel("Command to run").fill("ls \u200b-l");
    await cardOf(page).getByText("ls ⟨U+200B⟩-l").waitFor();
    await button(page, "Approve with changes").click();
    await until(() => session.resolved.length === 1);
    session.ask("c2", { toolKind: "other", input: { to: "ada\u200b" } });
    await button(page, "Edit").click();
    await cardOf(page).getByText('"to": "ada⟨U+200B⟩"').waitFor();
    const json = '{"to": "bob", "__proto__": {"a": 1}}';
    await page.getByLabel("Input (JSON)").fill(json);
    await button(page, "Approve with changes").click();
    await until(() => session.resolved.length === 2);
    expect(approvals(visited).map((one) => JSON.stringify(one.input))).toEqual([
      JSON.stringify({ cwd: "/", env: { PATH: "/tmp/evil" }, command: "ls \u200b-l" }),
      JSON.stringify(JSON.parse(json)),
    ]);
  });

  test("H4 unchanged lines of a change are folded only on request, and the fold says how many there are", async () => {
    await using visited = await open();
    const { page, session } = visited;
    const lines = Array.from({ length: 60 }, (_, at) => `line ${at}`).join("\n");
    session.ask("c1", {
      toolKind: "edit",
      input: { path: "a", oldText: `${lines}\nb`, newText: `${lines}\nc` },
    });
    const rows = () => cardOf(page).locator("code > span").count();
    await expect.poll(rows).toBe(62);
    await button(page, "Hide unchanged lines").click();
    await expect.poll(rows).toBe(6);
    await button(page, "57 unchanged lines").click();
    await expect.poll(rows).toBe(62);
  });

  test("H8 a change of 400,000 lines can be answered, and every line of it can be reached", async () => {
    await using visited = await open();
    const { page, session } = visited;
    const side = (mark: string) => Array.from({ length: 200_000 }, (_, at) => `${mark}${at}`).join("\n");
    session.ask("c1", { toolKind: "edit", input: { path: "a", oldText: side("a"), newText: side("b") } });
    const rows = cardOf(page).locator("code > span");
    await rows.first().getByText("a0", { exact: true }).waitFor();
    expect(await rows.count()).toBeLessThanOrEqual(1_000);
    await button(page, "Last lines").click();
    await rows.last().getByText("b199999", { exact: true }).waitFor();
    expect(await rows.count()).toBeLessThanOrEqual(1_000);
    await button(page, "First lines").click();
    const seen = cardOf(page).getByRole("status");
    const last = async () =>
      Number(/–([\d,]+) of 400,000/.exec(await seen.innerText())?.[1]?.replace(",", ""));
    const before = await last();
    await button(page, "Next lines").click();
    await rows.first().getByText(`a${before}`, { exact: true }).waitFor();
    await button(page, "Approve").click();
    await until(() => session.resolved.length === 1);
  });

  test("H8 an input with many changes and many keys is also rendered one part at a time", async () => {
    await using visited = await open();
    const { page, session } = visited;
    const diffs = Array.from({ length: 1_000 }, (_, at) => ({ path: `f${at}`, oldText: "a", newText: "b" }));
    const keys = Object.fromEntries(Array.from({ length: 15_000 }, (_, at) => [`k${at}`, at]));
    session.ask("c1", { toolKind: "edit", input: { diffs, ...keys } });
    await cardOf(page).getByText("f0", { exact: true }).waitFor();
    expect(await cardOf(page).locator("figure").count()).toBeLessThanOrEqual(100);
    const drawn = await cardOf(page).innerText();
    expect(drawn.match(/"k\d+"/g)?.length).toBeLessThanOrEqual(1_000);
    await button(page, "Last changes").click();
    await cardOf(page).getByText("f999", { exact: true }).waitFor();
    await button(page, "Last lines").click();
    await cardOf(page).getByText('"k14999": 14999').waitFor();
  });

  test("H4 a card shows exactly where a command would run, and in which session", async () => {
    await using visited = await open({
      title: "Tidy\u202e up",
      cwd: `/home/ada/${"deep/".repeat(40)}\u200bx`,
    });
    const { page, session } = visited;
    session.ask("c1", { toolKind: "execute", input: { command: "rm -rf ." } });
    await cardOf(page).waitFor();
    const { text, problems } = await seenIn(page.getByRole("listitem").filter({ has: cardOf(page) }));
    expect(text).toContain("Tidy⟨U+202E⟩ up");
    expect(text).toContain(`/home/ada/${"deep/".repeat(40)}⟨U+200B⟩x`);
    expect(problems).toEqual([]);
  });

  test("H4 options and questions that look alike can be distinguished", async () => {
    await using visited = await open();
    const { page, session, server } = visited;
    const options = [
      { label: "yes" },
      { label: "yes\u200b" },
      { label: "yes " },
      { label: "yes", description: "but another one" },
      { label: "" },
    ];
    const same = { header: "Sure\u202e?", question: "Go\u001b[8m on?", options, multiSelect: false };
    session.question([
      { id: "constructor", ...same },
      { id: "a\u202eb", ...same },
    ]);
    const { text, problems } = await seenIn(cardOf(page));
    for (const one of ["Sure⟨U+202E⟩?", "Go⟨U+001B⟩[8m on?", "a⟨U+202E⟩b", "constructor", "yes⟨U+200B⟩"]) {
      expect(text).toContain(one);
    }
    for (const one of ["yes⟨U+0020⟩", "Sends the same answer as option 1", "Empty answer"]) {
      expect(text).toContain(one);
    }
    expect(problems).toEqual([]);
    const radios = cardOf(page).getByRole("radio");
    await radios.nth(3).check();
    await radios.nth(6).check();
    expect(await Promise.all((await radios.all()).map((one) => one.isChecked()))).toEqual(
      Array.from({ length: 10 }, (_, at) => at === 3 || at === 6),
    );
    await button(page, "Answer").click();
    await until(() => session.resolved.length === 1);
    const sent = server.frames.filter(({ type }) => type === "session:answer");
    expect(sent.map(({ answers }) => answers)).toEqual([{ constructor: "yes", "a\u202eb": "yes\u200b" }]);
  });

  test("H4 what a real agent shows next to its input reaches the card with all its keys and flaws", async () => {
    await using visited = await visitServer(browser, {
      config: { agents: { kit: kitAgent("asks-permission.mjs") } },
    });
    const { page, server, client, complaints } = visited;
    const session = await newSession(visited, { agent: "kit" });
    const call = {
      kind: "edit",
      title: "Write a file",
      rawInput: { path: "a.sh", content: "rm -rf ~\n", __proto__x: 1 },
      content: [
        { type: "diff", path: "a.sh", oldText: null, newText: "ls\n" },
        { type: "diff", path: ["b\u202e"], newText: 7, mode: "120000" },
        { type: "diff", path: "/etc/hosts", newText: "evil\n", _meta: { kind: "add" } },
      ],
    };
    await client.post(`/api/sessions/${session.id}/messages`, { content: JSON.stringify(call) });
    await page.goto(`${server.url}/#/inbox`);
    await cardOf(page).waitFor();
    const { text, problems } = await seenIn(cardOf(page));
    for (const one of ["a.sh", "rm -rf ~", '"__proto__x": 1', "ls", '"b⟨U+202E⟩"', '"newText": 7']) {
      expect(text).toContain(one);
    }
    for (const one of ['"mode": "120000"', "/etc/hosts", "evil", '"kind": "add"'])
      expect(text).toContain(one);
    expect(problems).toEqual([]);
    await button(page, "Approve").click();
    await page.getByText("Approved by you").waitFor();
    expect(complaints).toEqual([]);
  });
});
