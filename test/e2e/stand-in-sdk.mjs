// The part of Claude Code's SDK that reads and copies stored conversations. They are files in $STAND_IN: whoever is
// started with another environment finds none.
import { randomUUID } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const directory = process.env.STAND_IN;
const read = (id) => JSON.parse(readFileSync(join(directory, `${id}.json`), "utf8"));
const ids = () => readdirSync(directory).map((name) => name.replace(".json", ""));
const find = (id, { dir }) => (ids().includes(id) && read(id).cwd === dir ? read(id) : undefined);

export const listSessions = async ({ dir }) =>
  ids()
    .map((sessionId) => ({ sessionId, lastModified: 0, ...read(sessionId) }))
    .filter(({ cwd }) => dir === undefined || cwd === dir);
export const getSessionInfo = async (id, options) => find(id, options);
export const getSessionMessages = async (id, options) => find(id, options)?.messages ?? [];
export const listSubagents = async () => [];

export async function forkSession(id, { upToMessageId, title, ...options }) {
  const { messages, ...rest } = find(id, options);
  const end = upToMessageId ? messages.findIndex(({ uuid }) => uuid === upToMessageId) + 1 : undefined;
  const sessionId = randomUUID();
  const fork = { ...rest, summary: title, messages: messages.slice(0, end) };
  writeFileSync(join(directory, `${sessionId}.json`), JSON.stringify(fork));
  return { sessionId };
}
