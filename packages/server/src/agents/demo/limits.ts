import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { RequestError } from "@agentclientprotocol/sdk";
import { stateDirectory } from "./state-directory.ts";

/** A limit that an account has reached, as its vendor would keep it. */
interface Reached {
  /** In seconds since the epoch. */
  readonly resetsAt: number;
  /** The conversation that reached it. */
  readonly conversation: string;
}

const directory = () => join(stateDirectory(), "limits");

/** The account of this process. Without one, a limit is forgotten as soon as it is reported. */
const ownAccount = (): string | undefined => process.env["DEMO_ACCOUNT"] || undefined;

const fileOf = (account: string): string => `${createHash("sha256").update(account).digest("hex")}.json`;

/** Rejects a turn while the account's limit is reached. */
export function checkLimit(): void {
  const account = ownAccount();
  const reached = account === undefined ? undefined : read(fileOf(account));
  if (reached && isInForce(reached)) throw usageLimit(reached.resetsAt);
}

/**
 * Reaches the account's limit. A conversation that has reached its limit on one account goes on with another one, as it
 * would with a vendor: the same instruction does nothing there.
 */
export function reachLimit(seconds: number, conversation: string): void {
  const resetsAt = Math.floor(Date.now() / 1000) + seconds;
  const account = ownAccount();
  if (account === undefined) throw usageLimit(resetsAt);
  const own = fileOf(account);
  const others = files().filter((file) => file !== own);
  const isElsewhere = others.some((file) => {
    const reached = read(file);
    return reached !== undefined && isInForce(reached) && reached.conversation === conversation;
  });
  if (isElsewhere) return;
  save(own, { resetsAt, conversation });
  throw usageLimit(resetsAt);
}

const isInForce = ({ resetsAt }: Reached): boolean => resetsAt * 1000 > Date.now();

function usageLimit(resetsAt: number): RequestError {
  const seconds = Math.max(0, Math.ceil(resetsAt - Date.now() / 1000));
  return new RequestError(-32603, `Usage limit reached, resets in ${seconds} s`, {
    errorKind: "usage_limit",
    resetsAt,
  });
}

function files(): string[] {
  try {
    return readdirSync(directory()).filter((name) => name.endsWith(".json"));
  } catch {
    return []; // no limit was ever reached
  }
}

/** Undefined if the account has reached no limit. */
function read(file: string): Reached | undefined {
  try {
    return JSON.parse(readFileSync(join(directory(), file), "utf8"));
  } catch {
    return undefined;
  }
}

function save(file: string, reached: Reached): void {
  const draft = join(directory(), `${file}.${process.pid}`);
  mkdirSync(directory(), { recursive: true, mode: 0o700 });
  writeFileSync(draft, JSON.stringify(reached), { mode: 0o600 });
  renameSync(draft, join(directory(), file));
}
