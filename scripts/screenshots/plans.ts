/** A session in the pictures: what a person asked, and what the agent does about it, in the demo agent's language. */
export interface Plan {
  readonly project: "storefront" | "handbook" | "payments-api";
  readonly agent: keyof typeof agents;
  readonly name: string;
  readonly title: string;
  readonly prompt: string;
  readonly script: readonly string[];
  /** How long ago it happened. */
  readonly minutesAgo: number;
  /** The agent's request stays open. */
  readonly leftOpen?: true;
  readonly archived?: true;
  /** It has a worktree of its own. */
  readonly inWorktree?: true;
  /** It is a worker with this task: it has a worktree, too. */
  readonly worker?: {
    readonly mode?: "plan";
    readonly batch?: string;
    readonly decided?: "accepted" | "merged";
  };
  /** It is left in the middle of its turn, or in the queue. */
  readonly keepsGoing?: true;
  /** Files that someone else commits to main afterwards, by path. */
  readonly upstream?: Readonly<Record<string, string>>;
}

/** Agents by the name of their preset: the page shows them as their vendors call them. */
export const agents = {
  "claude-code": "Claude Code",
  "codex-acp": "Codex",
  "gemini-acp": "Gemini CLI",
} as const;

export const files: Readonly<Record<Plan["project"], Readonly<Record<string, string>>>> = {
  storefront: {
    "src/checkout.ts": `import type { Line } from "./cart.ts";

/** The total in cents. */
export function total(lines: readonly Line[]): number {
  return lines.reduce((sum, { price, count }) => sum + price * count, 0);
}
`,
    "test/login.test.ts": `import { expect, test } from "vitest";
import { openPage } from "./kit.ts";

test("signing in opens the list of orders", async () => {
  const page = await openPage("/login");
  await page.fill("secret");
  await new Promise((done) => setTimeout(done, 50));
  expect(page.path).toBe("/orders");
});

test("a wrong password stays on the page", async () => {
  const page = await openPage("/login");
  await page.fill("wrong");
  expect(page.text).toContain("Try again");
});

test("signing out returns to the login", async () => {
  const page = await openPage("/orders");
  await page.click("Sign out");
  await new Promise((done) => setTimeout(done, 50));
  expect(page.path).toBe("/login");
});
`,
  },
  "payments-api": { "README.md": "# Payments API\n\nCharges, refunds and payouts.\n" },
  handbook: { "README.md": "# Handbook\n\nHow we work.\n" },
};

/** Oldest first. */
export const plans: readonly Plan[] = [
  {
    project: "handbook",
    agent: "gemini-acp",
    name: "dead-links",
    title: "Fix dead links",
    prompt: "Find the dead links in the handbook and fix them.",
    script: ["say I found three dead links and replaced all of them."],
    minutesAgo: 60 * 24 * 9,
    archived: true,
  },
  {
    project: "handbook",
    agent: "gemini-acp",
    name: "glossary",
    title: "Write the glossary",
    prompt: "Collect the terms we use in the handbook and write a glossary.",
    script: [
      "say The glossary has **42 terms** now, each with one definition and a link to where it is used.",
    ],
    minutesAgo: 60 * 26,
  },
  {
    project: "payments-api",
    agent: "codex-acp",
    name: "retry-refunds",
    title: "Retry refunds that time out",
    prompt: "Refunds that time out are lost. Retry them with the same idempotency key.",
    script: ["read README.md", "fail The model ended the response early: context window exceeded"],
    minutesAgo: 187,
    inWorktree: true,
  },
  {
    project: "storefront",
    agent: "claude-code",
    name: "login-test",
    title: "Fix the flaky login test",
    prompt: "test/login.test.ts fails about once in twenty runs on CI. Find out why and fix it.",
    script: [
      "think The test sleeps for 50 ms and hopes that the redirect has happened. It should wait for the redirect.",
      "todo Find the cause, Wait for the redirect, Run the test",
      "read test/login.test.ts",
      "say The test sleeps for 50 ms instead of waiting for the redirect, so it fails on a slow machine. I'll make it wait for the path.",
      `run sed -i -e '7s|await new Promise.*|await page.waitForPath("/orders");|' -e '20s|await new Promise.*|await page.waitForPath("/login");|' test/login.test.ts`,
      "write notes/login-test.md Wait for the path instead of sleeping: see test/login.test.ts",
      "run git diff --stat",
      "## Fixed",
      "",
      "The test now waits for the redirect itself. On a slow machine it takes longer, but it no longer fails: 200 runs in a row passed.",
    ],
    minutesAgo: 42,
    inWorktree: true,
  },
  {
    project: "payments-api",
    agent: "codex-acp",
    name: "payout-guide",
    title: "Explain payouts in the README",
    prompt: "The README only names payouts. Say when they are sent, and what can delay them.",
    script: [
      `run printf '# Payments API\\n\\nCharges, refunds and payouts.\\n\\nPayouts are sent at 6 am on business days.\\n' > README.md`,
      "say The README says when payouts are sent. A bank holiday delays them by a day.",
    ],
    minutesAgo: 31,
    inWorktree: true,
    upstream: {
      "README.md": "# Payments API\n\nCharges, refunds and payouts.\n\nAll amounts are in cents.\n",
    },
  },
  {
    project: "handbook",
    agent: "gemini-acp",
    name: "style-guide",
    title: "Use one spelling in all guides",
    prompt: "The guides mix British and American spelling. Make them consistent.",
    script: ["ask Which spelling should the guides use? | British | American | Whatever each author prefers"],
    minutesAgo: 18,
    leftOpen: true,
  },
  {
    project: "storefront",
    agent: "codex-acp",
    name: "date-library",
    title: "Upgrade the date library",
    prompt: "Upgrade dates to version 4 and make sure the tests still pass.",
    script: [
      "say Version 4 removes `parse`. Two files use it, and both are easy to change. First I'll install it and run the tests.",
      'run npm install dates@4 --save-exact && npm test -- --run > "$TMPDIR/result.txt"',
    ],
    minutesAgo: 6,
    leftOpen: true,
  },
  {
    project: "storefront",
    agent: "claude-code",
    name: "checkout-rounding",
    title: "Round prices the way the bank does",
    prompt: "Checkout totals are sometimes a cent off. Round half to even, like the bank.",
    script: [
      "say `total` adds up fractions of a cent. I'll round the sum once, half to even.",
      "write src/checkout.ts export const total = (prices: readonly number[]): number => roundHalfToEven(prices.reduce((sum, price) => sum + price, 0));",
    ],
    minutesAgo: 2,
    leftOpen: true,
  },
];
