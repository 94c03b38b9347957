import type { Eye } from "./look.ts";

export interface Scene {
  readonly name: string;
  readonly show: (eye: Eye) => Promise<void>;
}

const opened = (name: string, address: string, text: string | RegExp): Scene => ({
  name,
  show: async ({ page, go }) => {
    await go(address);
    await page.getByText(text).filter({ visible: true }).first().waitFor();
  },
});

/** Before anything has happened. */
export const unusedScenes: readonly Scene[] = [
  opened("welcome", "#/", /^No (agents running|sessions) yet$/),
  opened("inbox-empty", "#/inbox", "You're all caught up"),
  opened("board-empty", "#/board", "No workers yet"),
  opened("agents", "#/agents", "Demo"),
];

/** Every page and dialog, by the name of its file. */
export const scenes: readonly Scene[] = [
  opened("home", "#/", "Upgrade the date library"),
  opened("session", "#/s/login-test", "200 runs in a row passed"),
  opened("session-asks", "#/s/date-library", "wants to run a command"),
  opened("session-unknown", "#/s/unknown", "Session unavailable"),
  opened("changes", "#/s/login-test/changes", 'await page.waitForPath("/orders");'),
  {
    name: "changes-turn",
    show: async ({ page, go }) => {
      await go("#/s/login-test");
      await page.getByRole("link", { name: /^2 files/ }).click();
      await page.locator(".code-keyword").first().waitFor();
    },
  },
  {
    name: "commit",
    show: async ({ page, go }) => {
      await go("#/s/login-test/changes");
      await page.getByRole("button", { name: "Commit…" }).click();
      await page.getByLabel("Message").fill("Wait for the redirect in the login test");
    },
  },
  {
    name: "review",
    show: async ({ page, go }) => {
      await go("#/s/login-test/review");
      await page.getByText("0 of 2 viewed").waitFor();
      await page.getByText("Ready for review", { exact: true }).last().waitFor();
      await page.locator(".code-keyword").first().waitFor();
    },
  },
  {
    name: "review-comments",
    show: async ({ page, go }) => {
      await go("#/s/login-test/review");
      const file = page.getByRole("region", { name: "test/login.test.ts" });
      await file
        .getByRole("button", { name: "Comment on line 6", exact: true })
        .last()
        .press("Shift+ArrowDown");
      await page.keyboard.press("Enter");
      await page
        .getByRole("textbox", { name: /^Comment on/ })
        .fill("Use the same helper in both tests, please.");
      await page.keyboard.press("Control+Enter");
      await page.getByRole("checkbox", { name: "Viewed notes/login-test.md" }).check();
      await page.getByText("1 of 2 viewed").waitFor();
    },
  },
  {
    name: "review-merge",
    show: async ({ page, go }) => {
      await go("#/s/login-test/review");
      await page.getByRole("button", { name: "More review actions" }).click();
      await page.getByRole("menuitem", { name: "Merge…" }).click();
      await page.getByText("No conflicts.").waitFor();
    },
  },
  {
    name: "review-conflict",
    show: async ({ page, go }) => {
      await go("#/s/payout-guide/review");
      await page.getByText("These files conflict with main:").waitFor();
      await page.getByText("Payouts are sent").waitFor();
    },
  },
  opened("log", "#/s/login-test/log", "session"),
  opened("inbox", "#/inbox", "has a question"),
  opened("board", "#/board", "Has questions"),
  {
    name: "board-answer",
    show: async ({ page, go }) => {
      await go("#/board");
      await page.getByRole("button", { name: "Answer…" }).click();
      await page.getByText("Where should the synonyms come from?").waitFor();
    },
  },
  {
    name: "board-compare",
    show: async ({ page, go }) => {
      await go("#/board/price-format");
      await page.getByText("One test covers").waitFor();
    },
  },
  {
    name: "board-differences",
    show: async ({ page, go }) => {
      await go("#/board/price-format");
      await page.getByRole("button", { name: "Differences" }).click();
      await page.locator(".code-keyword").first().waitFor();
    },
  },
  {
    name: "new-worker",
    show: async ({ page, go }) => {
      await go("#/board");
      await page.getByRole("button", { name: "New worker" }).click();
      await page.getByLabel("Task").fill("Round prices the way the bank does, and test it.");
      await page.getByLabel("Tries").selectOption("3");
      await page.getByText("ACP").first().waitFor();
    },
  },
  {
    name: "proposals",
    show: async ({ page, go }) => {
      await go("#/s/subscriptions/proposals");
      await page.getByRole("button", { name: "Charge every month" }).click();
      await page.getByRole("button", { name: "Save" }).waitFor();
    },
  },
  {
    name: "worker",
    show: async ({ page, go }) => {
      await go("#/s/price-format-1");
      await page.getByText("Summary", { exact: true }).click();
      await page.getByText("One test covers").first().waitFor();
    },
  },
  opened("workspaces", "#/workspaces", "uncommitted"),
  opened("projects", "#/projects", "storefront"),
  opened("settings", "#/settings", "Settings"),
  opened("doctor", "#/doctor", "Doctor"),
  {
    name: "new-session",
    show: async ({ page, go }) => {
      await go("#/");
      await page.getByRole("button", { name: "New session" }).click();
      await page.getByLabel("Prompt").fill("Find out why the checkout is slow on phones, and fix it.");
      await page.getByText("ACP").first().waitFor();
      await page.getByText("A worktree of its own").click();
    },
  },
  {
    name: "palette",
    show: async ({ page, go }) => {
      await go("#/s/login-test");
      await page.getByText("200 runs in a row passed").first().waitFor();
      await page.keyboard.press("Control+k");
      await page.getByLabel("Search or jump to…").waitFor();
    },
  },
  {
    name: "keys",
    show: async ({ page, go }) => {
      await go("#/inbox");
      await page.getByRole("region").first().waitFor();
      await page.keyboard.press("?");
      await page.getByRole("heading", { name: "Keyboard shortcuts" }).waitFor();
    },
  },
  {
    name: "login",
    show: async ({ page, server }) => {
      await page.goto("about:blank");
      // A logged-in browser would be redirected.
      await page.context().clearCookies();
      await page.goto(`${server.url}/login`);
      await page.getByLabel("Login code or token").waitFor();
    },
  },
];
