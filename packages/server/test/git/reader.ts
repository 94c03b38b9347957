// Reads repositories in every way Drover does, one for each line of its input, as the user named by its argument.
import { createInterface } from "node:readline";
import type { ChangedFile } from "@drover/core";
import { buildRuntimeContext } from "../../src/context/index.ts";
import { localWorkspace } from "../../src/workspace/index.ts";

export interface ReadRequest {
  readonly cwd: string;
  readonly home: string;
  readonly gitTimeoutMs: number;
}

export interface ReadAnswer {
  /** What an agent is told when its turn starts. */
  readonly context: string;
  /** The files of `GET …/workspace`, or the code of its refusal. */
  readonly files: ChangedFile[] | string;
  /** The text of `GET …/diff`, or the code of its refusal. */
  readonly diff: string;
  /** The text of `GET …/diff?path=` for the first listed file. */
  readonly byPath: Record<string, string>;
  /** The names of `GET …/files`. */
  readonly names: string[];
}

const user = Number(process.argv[2] ?? process.getuid?.());
// Everything is loaded by now: the user needs no right to read this checkout.
if (user !== process.getuid?.()) {
  process.setgroups?.([]);
  process.setgid?.(user);
  process.setuid?.(user);
}

async function read({ cwd, home, gitTimeoutMs }: ReadRequest): Promise<ReadAnswer> {
  const environment = { PATH: process.env["PATH"] ?? "", HOME: home };
  const deps = { environment, scratch: `${home}/scratch`, gitTimeoutMs };
  const workspace = localWorkspace(deps);
  const diffOf = async (path?: string) => {
    const found = await workspace.diff(cwd, path);
    if (!found.ok) return found.error.code;
    const chunks: Uint8Array[] = [];
    for await (const chunk of found.value) chunks.push(chunk);
    return Buffer.concat(chunks).toString();
  };
  const [{ text: context }, changes, diff, found] = await Promise.all([
    buildRuntimeContext(cwd, { ...deps, version: "1", port: 1 }),
    workspace.changes(cwd),
    diffOf(),
    workspace.files(cwd, { query: "", limit: 1_000 }),
  ]);
  const files = changes.ok ? changes.value.files : changes.error.code;
  const byPath: Record<string, string> = {};
  const [first] = changes.ok ? changes.value.files : [];
  if (first) byPath[first.path] = await diffOf(first.path);
  const names = found.ok ? found.value.files.map(({ path }) => path) : [];
  return { context, files, diff, byPath, names };
}

for await (const line of createInterface({ input: process.stdin })) {
  process.stdout.write(`${JSON.stringify(await read(JSON.parse(line)))}\n`);
}
