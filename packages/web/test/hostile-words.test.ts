import { exactInput } from "@drover/core";
import type { Locator, Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { findChromium } from "../../../test/kit/programs.ts";
import { every, usually } from "../../../test/kit/soak.ts";
import { seriousFindings } from "./axe.ts";
import { FixtureSession } from "./fixture/session.ts";
import { type HostileInput, hostileInputs } from "./hostile-inputs.ts";
import { type Seen, seenIn } from "./seen.ts";
import { sharedBrowser } from "./shared-browser.ts";
import { type Visit, visit } from "./visit.ts";

/** Every text in a value. Keys count too unless the card implies them: `command` is a prompt, `plan` a box. */
function textsOf(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (Array.isArray(value)) return value.flatMap(textsOf);
  if (typeof value !== "object" || value === null) return [JSON.stringify(value)];
  return Object.entries(value).flatMap(([key, one]) => [
    ...(key === "command" || key === "plan" ? [] : [key]),
    ...textsOf(one),
  ]);
}

/** What a person who knows the notation reads. */
const read = (shown: string) =>
  shown.replace(/⟨U\+([0-9A-F]{4,6})⟩/g, (_, code) => String.fromCodePoint(Number.parseInt(code, 16)));

/** Whether a text can be read there: line by line, as JSON, or as an argument. */
function isThere(text: string, shown: string): boolean {
  const argument = `'${text.replaceAll("'", "'\\''")}'`;
  return [text.split("\n"), [JSON.stringify(text)], argument.split("\n")].some((lines) => {
    let from = 0;
    return lines.every((line) => {
      const at = shown.indexOf(line, from);
      from = at + line.length;
      return at >= 0;
    });
  });
}

/** The text spelled out if it has hidden characters outside our own notation, otherwise nothing. */
function hiddenIn(shown: string): string {
  const bare = shown.replace(/⟨U\+[0-9A-F]{4,6}⟩/g, "");
  return exactInput(bare) === bare ? "" : exactInput(bare);
}

/** Like `seenIn`, across all pages of the element. */
async function seenOnAllPages(card: Locator): Promise<Seen> {
  const pages = [await seenIn(card)];
  const next = card.getByRole("button", { name: "Next lines" });
  // A card that replaces another ignores clicks for a moment: `click` waits for it.
  while ((await next.count()) > 0 && (await next.getAttribute("disabled")) === null) {
    await next.click();
    pages.push(await seenIn(card));
  }
  return {
    text: pages.map(({ text }) => text).join("\n"),
    problems: pages.flatMap(({ problems }) => problems),
  };
}

const foreign =
  "a, img, iframe, script, style, link, object, embed, video, audio, details, b, [style], [onerror]";

describe.skipIf(!findChromium())("hostile input on approval cards (needs chromium)", () => {
  const browser = sharedBrowser();

  async function open(): Promise<Visit & { session: FixtureSession }> {
    const visited = await visit(browser);
    const session = visited.server.add(new FixtureSession());
    session.begin("go");
    await visited.page.goto(`${visited.server.url}/#/inbox`);
    await visited.page.getByText("You're all caught up").waitFor();
    return { ...visited, session };
  }

  /** A new request: its card, and how to withdraw it. */
  function ask(
    { page, session }: { page: Page; session: FixtureSession },
    { name: _, shows: __, ...asked }: HostileInput,
  ) {
    const interaction = session.ask(`c${session.state.lastSeq}`, { toolKind: "edit", ...asked });
    const withdraw = () => session.resolve(interaction, { resolution: "denied", by: "cli" });
    return { card: page.locator(`[data-interaction="${interaction.id}"]`), withdraw };
  }

  test.each([
    { where: "on a desktop", width: 1200, colorScheme: "light", inputs: hostileInputs },
    {
      where: "on a phone",
      width: 390,
      colorScheme: "dark",
      inputs: usually(every(4, hostileInputs), { inSoak: hostileInputs }),
    },
  ] as const)(
    "H4 an approval card shows every character of a request exactly, $where",
    async ({ width, colorScheme, inputs }) => {
      await using visited = await open();
      const { page, complaints } = visited;
      await page.setViewportSize({ width, height: 750 });
      await page.emulateMedia({ colorScheme });
      let dialogs = 0;
      page.on("dialog", (dialog) => {
        dialogs++;
        void dialog.dismiss();
      });
      for (const hostile of inputs) {
        const { name, input, diffs = [], shows = [] } = hostile;
        const { card, withdraw } = ask(visited, hostile);
        await card.waitFor();
        const { text, problems } = await seenOnAllPages(card);
        const strangers = await card.locator(foreign).count();
        withdraw();
        await card.waitFor({ state: "detached" });
        // The keys of a diff next to the input need not be shown: it is not what is approved.
        const values = diffs.flatMap((diff) =>
          typeof diff === "object" ? Object.values(diff ?? {}) : [diff],
        );
        const missing = [...textsOf(input), ...textsOf(values)].filter((one) => !isThere(one, read(text)));
        expect.soft(missing, `${name}: missing in\n${text.slice(0, 2_000)}`).toEqual([]);
        for (const one of shows) expect.soft(text, name).toContain(one);
        expect.soft(problems, name).toEqual([]);
        expect.soft(hiddenIn(text), name).toBe("");
        expect.soft(strangers, `${name}: foreign elements`).toBe(0);
      }
      expect(dialogs).toBe(0);
      expect(complaints).toEqual([]);
    },
  );

  test("the check itself detects text that is cut off, without size, unreadable or in another order", async () => {
    const flaws = [
      ["[data-interaction] pre { max-height: 1em; overflow: hidden }", "is clipped"],
      ["[data-interaction] pre * { color: red; background: red }", "has the colour"],
      ["[data-interaction] pre span { display: none }", "has no size"],
      ["[data-interaction] pre, pre * { unicode-bidi: normal !important }", "is out of order"],
    ] as const;
    await using visited = await open();
    const command = "rm א 1 2 ../ב;\n\n\nls -la";
    const { card } = ask(visited, { name: "", input: { command } });
    await card.waitFor();
    expect((await seenIn(card)).problems).toEqual([]);
    for (const [content, problem] of flaws) {
      await visited.page.evaluate((css) => {
        const sheet = new CSSStyleSheet();
        sheet.replaceSync(css);
        document.adoptedStyleSheets = [sheet];
      }, content);
      expect((await seenIn(card)).problems.join("\n")).toContain(problem);
    }
  });

  test("H8 a request too large for the inbox is answered only in its session", async () => {
    await using visited = await open();
    const { page, session } = visited;
    session.ask("c1", { toolKind: "edit", inputOmitted: true });
    const link = page.getByRole("link", { name: "Open the session to review it" });
    await link.waitFor();
    expect(await page.getByRole("button", { name: /Approve|Deny/ }).count()).toBe(0);
    await link.click();
    await page.getByRole("button", { name: "Deny", exact: true }).waitFor();
  });

  test("H4 hostile cards have no serious accessibility findings", async () => {
    await using visited = await open();
    const { page, session } = visited;
    for (const wanted of ["extra keys", "diffs next to the input that contradict it", "hidden arguments"]) {
      const {
        name: _,
        shows: __,
        ...asked
      } = hostileInputs.find(({ name }) => name === wanted) as HostileInput;
      session.ask(wanted, { toolKind: "edit", ...asked });
    }
    await page.locator("[data-interaction]").nth(2).waitFor();
    expect(await seriousFindings(page)).toEqual([]);
  });
});
