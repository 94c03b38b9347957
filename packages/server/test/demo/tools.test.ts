import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, readFile, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { tempDir } from "../../../../test/kit/temp.ts";
import { actionsIn, choose, demoWithSession, type Place, place, runOutput, textIn } from "./harness.ts";

/** The instructions in the agent's own log of what it really did. */
async function done(where: Place): Promise<string[]> {
  const path = actionsIn(where);
  if (!existsSync(path)) return [];
  const lines = (await readFile(path, "utf8")).trimEnd().split("\n");
  return lines.map((line) => {
    const [, time = "", instruction = ""] = /^(\S+) (.*)$/.exec(line) ?? [];
    expect(new Date(time).toISOString()).toBe(time);
    return instruction;
  });
}

describe("the demo agent's tools", () => {
  it("edits the first place that has a text, and commits as itself", async () => {
    await using where = await place();
    const git = (...args: string[]) => execFileSync("git", args, { cwd: where.cwd, encoding: "utf8" });
    git("init", "-q");
    await writeFile(join(where.cwd, "a.txt"), "one two two\n");
    await using demo = await demoWithSession(where, { permit: choose("allow_once") });
    await demo.prompt(
      "edit a.txt s/two/2/",
      "edit a.txt s|none|x|",
      "edit missing.txt s/a/b/",
      "commit It's two",
    );
    expect(await readFile(join(where.cwd, "a.txt"), "utf8")).toBe("one 2 two\n");
    const statuses = ["completed", "failed", "failed", "completed"];
    expect(demo.calls.map(({ status }) => status)).toEqual(statuses);
    expect(demo.calls[0]).toMatchObject({ kind: "edit", title: "edit: a.txt" });
    expect(textIn(demo.calls[1])).toBe('a.txt does not contain "none"');
    expect(git("log", "--format=%an %s", "--name-only")).toBe("Demo It's two\n\na.txt\n");
    expect(git("status", "--porcelain")).toBe("");
    expect(await done(where)).toHaveLength(2);
  });

  it("reads a file, lists a directory and fails on missing ones, without asking", async () => {
    await using where = await place();
    await writeFile(join(where.cwd, "a.txt"), "Grüße\n");
    await mkdir(join(where.cwd, "sub"));
    await using demo = await demoWithSession(where);
    await demo.prompt("read a.txt", "read .", "read missing.txt");
    expect(demo.permissions).toEqual([]);
    expect(demo.calls).toMatchObject([
      {
        toolCallId: "call_1",
        title: "read: a.txt",
        kind: "read",
        status: "completed",
        rawInput: { path: "a.txt" },
      },
      { toolCallId: "call_2", status: "completed" },
      { toolCallId: "call_3", status: "failed" },
    ]);
    expect(demo.calls.map(textIn)).toEqual(["Grüße\n", "a.txt\nsub/", expect.stringContaining("ENOENT")]);
    expect(await done(where)).toEqual([]);
  });

  it("runs a command once approved, and shows its output and exit code", async () => {
    await using where = await place();
    await using demo = await demoWithSession(where, { permit: choose("allow_once") });
    await demo.prompt("run echo out; echo err >&2; pwd; exit 3");
    const output = `out\nerr\n${where.cwd}\n`;
    expect(demo.calls).toMatchObject([
      {
        kind: "execute",
        title: "run: echo out; echo err >&2; pwd; exit 3",
        name: "run",
        rawInput: { command: "echo out; echo err >&2; pwd; exit 3" },
        status: "failed",
        rawOutput: { output, exitCode: 3 },
      },
    ]);
    expect(textIn(demo.calls[0])).toBe(`${output}Exit code: 3`);
    expect(await done(where)).toEqual(["run echo out; echo err >&2; pwd; exit 3"]);
    expect((await stat(join(actionsIn(where), ".."))).mode & 0o777).toBe(0o700);
  });

  it("asks with one option of every kind, none of whose ids is its kind", async () => {
    await using where = await place();
    await using demo = await demoWithSession(where, { permit: choose("allow_once") });
    await demo.prompt("run true");
    const [request] = demo.permissions;
    const kinds = ["allow_once", "allow_always", "reject_once", "reject_always"];
    expect(request?.options.map(({ kind }) => kind)).toEqual(kinds);
    for (const { optionId } of request?.options ?? []) expect(kinds).not.toContain(optionId);
    expect(request?.toolCall).toMatchObject({ toolCallId: "call_1", kind: "execute", title: "run: true" });
  });

  it("ends a command's result at its exit, even if something it started keeps running", async () => {
    await using where = await place();
    await using demo = await demoWithSession(where, { permit: choose("allow_once") });
    await demo.prompt("run sleep 600 & echo $!");
    const { output } = runOutput(demo);
    process.kill(Number(output), "SIGKILL"); // fails the test when the command's output is not that pid
    expect(demo.calls).toMatchObject([{ status: "completed" }]);
  });

  it("keeps a bounded beginning of a flood of output and does not block the command", async () => {
    await using where = await place();
    await using demo = await demoWithSession(where, { permit: choose("allow_once") });
    await demo.prompt("run yes | head -c 20000000; exit 0");
    const { output, exitCode } = runOutput(demo);
    expect(exitCode).toBe(0);
    expect(output).toHaveLength(64 * 1024);
    expect(textIn(demo.calls[0])).toContain("truncated");
  });

  it("writes a file once approved, and shows the diff", async () => {
    await using where = await place();
    await using demo = await demoWithSession(where, { permit: choose("allow_once") });
    await demo.prompt("write deep/notes.txt first", "write deep/notes.txt second one");
    const path = join(where.cwd, "deep/notes.txt");
    expect(await readFile(path, "utf8")).toBe("second one");
    expect(demo.calls).toMatchObject([
      { kind: "edit", status: "completed", rawInput: { path: "deep/notes.txt", text: "first" } },
      { content: [{ type: "diff", path, oldText: "first", newText: "second one" }] },
    ]);
    expect(demo.permissions[0]?.toolCall.content).toEqual([
      { type: "diff", path, oldText: null, newText: "first" },
    ]);
    expect(await done(where)).toEqual(["write deep/notes.txt first", "write deep/notes.txt second one"]);
  });

  it("does nothing that is denied, passes the reason on, and continues with the next line", async () => {
    await using where = await place();
    await using demo = await demoWithSession(where, { permit: choose("reject_once", "not on a Friday") });
    const response = await demo.prompt("run touch a.txt", "write b.txt text", "say after");
    expect(response.stopReason).toBe("end_turn");
    expect(demo.calls).toMatchObject([{ status: "failed" }, { status: "failed" }]);
    expect(demo.calls.map(textIn)).toEqual(Array(2).fill("Denied: not on a Friday"));
    expect(demo.text).toBe("`run` was denied: not on a Friday\n`write` was denied: not on a Friday\nafter\n");
    expect(existsSync(join(where.cwd, "a.txt"))).toBe(false);
    expect(existsSync(join(where.cwd, "b.txt"))).toBe(false);
    expect(await done(where)).toEqual([]);
  });

  it("treats an option it did not offer as a denial", async () => {
    await using where = await place();
    const permit = () => ({ outcome: { outcome: "selected" as const, optionId: "allow_once" } });
    await using demo = await demoWithSession(where, { permit });
    await demo.prompt("run touch a.txt");
    expect(demo.calls).toMatchObject([{ status: "failed" }]);
    expect(await done(where)).toEqual([]);
  });

  it("stops asking for a tool that was allowed or rejected for the session, in that session only", async () => {
    await using where = await place();
    await using demo = await demoWithSession(where, {
      permit: (request) =>
        choose(request.toolCall.kind === "edit" ? "reject_always" : "allow_always")(request),
    });
    await demo.prompt("run true", "run true", "write a.txt x", "write b.txt x");
    expect(demo.permissions).toHaveLength(2);
    expect(await done(where)).toEqual(["run true", "run true"]);
    await demo.newSession();
    await demo.prompt("run true");
    expect(demo.permissions).toHaveLength(3);
  });

  it("refuses to write outside its working directory, through dots, a link or an absolute path", async () => {
    await using where = await place();
    await using outside = await tempDir("demo-outside-");
    await symlink(outside.path, join(where.cwd, "link"));
    await symlink(join(outside.path, "nothing"), join(where.cwd, "dangling"));
    await using demo = await demoWithSession(where, { permit: choose("allow_once") });
    await demo.prompt(
      `write ../${outside.path.split("/").at(-1)}/a.txt x`,
      "write link/b.txt x",
      `write ${outside.path}/c.txt x`,
      "write dangling x",
      "write . x",
    );
    expect(demo.permissions).toEqual([]);
    expect(demo.calls.map(({ status }) => status)).toEqual(Array(5).fill("failed"));
    for (const name of ["a.txt", "b.txt", "c.txt", "nothing"]) {
      expect(existsSync(join(outside.path, name))).toBe(false);
    }
    expect(await done(where)).toEqual([]);
  });
});
