import { execFile } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import type { Interaction, Session } from "@drover/core";
import { api } from "../../test/kit/http.ts";
import type { Server } from "../../test/kit/server.ts";
import { until } from "../../test/kit/until.ts";

const run = promisify(execFile);

const files: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  storefront: {
    "src/checkout.ts": "export const total = (prices: number[]) => prices.reduce((a, b) => a + b, 0);\n",
    "test/login.test.ts": `import { expect, test } from "vitest";
import { openPage } from "./kit.ts";

test("a login leads to the orders", async () => {
  const page = await openPage("/login");
  await page.fill("secret");
  await new Promise((done) => setTimeout(done, 50));
  expect(page.path).toBe("/orders");
});
`,
  },
  handbook: { "README.md": "# Handbook\n\nHow we work.\n" },
};

interface Plan {
  readonly project: string;
  readonly name: string;
  readonly title: string;
  readonly prompt: string;
  /** What its agent asks is left open. */
  readonly leftOpen?: true;
  readonly archived?: true;
}

const plans: readonly Plan[] = [
  {
    project: "handbook",
    name: "glossary",
    title: "Write the glossary",
    prompt: "say The glossary has **42 words** now, each with one meaning.",
  },
  {
    project: "handbook",
    name: "old-links",
    title: "Find dead links",
    prompt: "say Three links lead nowhere; all three are fixed.",
    archived: true,
  },
  {
    project: "handbook",
    name: "release-notes",
    title: "Release notes for 2.4",
    prompt: "fail The model refused: the prompt was cut off",
  },
  {
    project: "storefront",
    name: "login-test",
    title: "Fix the flaky login test",
    prompt: [
      "think The test sleeps for 50 ms and hopes. It should wait for the redirect itself.",
      "todo Find the cause, Wait on the redirect, Run the test",
      "read test/login.test.ts",
      `say The test **sleeps** instead of waiting for what it needs. I will make it wait for the path:`,
      `run sed -i 's|await new Promise.*|await page.waitForPath("/orders");|' test/login.test.ts`,
      "write notes/login-test.md Waiting on the path instead of on time: see test/login.test.ts",
      "run git diff --stat",
      "## Fixed",
      "",
      "The test waits on a fact now, so a slow machine only makes it slower, never red. It passed 200 times in a row.",
    ].join("\n"),
  },
  {
    project: "handbook",
    name: "style-guide",
    title: "One style for all guides",
    prompt: "ask Which spelling should the guides use? | British | American | As each author likes",
    leftOpen: true,
  },
  {
    project: "storefront",
    name: "date-library",
    title: "Upgrade the date library",
    prompt: [
      "say The new version drops `parse`. Two files use it; both are easy to change.",
      'run npm install dates@4 --save-exact && npm test -- --run > "$TMPDIR/result.txt"',
    ].join("\n"),
    leftOpen: true,
  },
  {
    project: "storefront",
    name: "checkout-rounding",
    title: "Round prices the way the bank does",
    prompt:
      "write src/checkout.ts export const total = (prices: number[]) => Math.round(prices.reduce((a, b) => a + b, 0) * 100) / 100;",
    leftOpen: true,
  },
];

/** Two projects and a morning's work in them. */
export async function stage(server: Server): Promise<void> {
  for (const [name, contents] of Object.entries(files)) await makeProject(join(server.home, name), contents);
  for (const plan of plans) await act(server, plan);
}

async function makeProject(path: string, contents: Readonly<Record<string, string>>): Promise<void> {
  for (const [file, text] of Object.entries(contents)) {
    await mkdir(dirname(join(path, file)), { recursive: true });
    await writeFile(join(path, file), text);
  }
  const who = ["-c", "user.name=Ada", "-c", "user.email=ada@example.com"];
  await run("git", ["init", "--quiet", "--initial-branch=main"], { cwd: path });
  await run("git", ["add", "."], { cwd: path });
  await run("git", [...who, "commit", "--quiet", "--message=Begin"], { cwd: path });
}

async function act(
  server: Server,
  { project, name, title, prompt, leftOpen, archived }: Plan,
): Promise<void> {
  const client = api(server);
  const cwd = join(server.home, project);
  const { id } = await client.post<Session>("/api/sessions", { agent: "demo", cwd, name, title });
  await client.post(`/api/sessions/${id}/messages`, { content: prompt });
  const standing = () => client.get<Session>(`/api/sessions/${id}`);
  await until(async () => {
    const { interactions } = await client.get<{ interactions: Interaction[] }>(
      `/api/interactions?sessionId=${id}`,
    );
    if (leftOpen) return interactions.length > 0;
    for (const { toolCallId } of interactions)
      await client.post(`/api/sessions/${id}/approve`, { toolCallId });
    const session = await standing();
    return session.lastSeq > 0 && session.turn === undefined && session.queued === 0;
  });
  if (archived) await client.patch(`/api/sessions/${id}`, { archived: true });
}
