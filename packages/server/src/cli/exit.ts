import type { RejectionCode } from "@drover/core";

/** The exit codes of `drover`. Scripts rely on them. */
export const exit = {
  done: 0,
  failed: 1,
  usage: 2,
  noServer: 3,
  needsPerson: 4,
  notFound: 5,
  conflict: 6,
  notAllowed: 7,
  timeout: 124,
  interrupted: 130,
} as const;
export type ExitCode = (typeof exit)[keyof typeof exit];

/** A command failed: `message` says why, `next` suggests what to do about it. */
export class CliError extends Error {
  override readonly name = "CliError";
  readonly exit: ExitCode;
  readonly next: string | undefined;

  constructor(code: ExitCode, message: string, next?: string) {
    super(message);
    this.exit = code;
    this.next = next;
  }
}

/** The server whose answer a command has read. */
export const answeredBy = new WeakMap<object, string>();

/** What an error in a server's answer means to a person: it broke off, or it isn't what this version expects. */
export function answerFault(error: unknown, url: string): CliError | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code } = error as NodeJS.ErrnoException;
  if (code === "ECONNRESET" || code === "ERR_STREAM_PREMATURE_CLOSE") {
    const next = "Try again. If git takes too long there, raise git.timeout in drover.yaml.";
    return new CliError(exit.failed, `The response from ${url} ended early.`, next);
  }
  if (!(error instanceof TypeError || error instanceof SyntaxError)) return undefined;
  const message = `${url} sent a response this version of drover can't read: ${error.message}`;
  return new CliError(exit.failed, message, "Check the address and the server's version: `drover doctor`.");
}

const rejectionExit: Record<RejectionCode, ExitCode> = {
  BAD_REQUEST: exit.usage,
  INVALID_CHARACTER: exit.usage,
  UNSUPPORTED: exit.usage,
  UNSUPPORTED_CLI: exit.usage,
  INSTRUCTIONS_UNREADABLE: exit.usage,
  UNAUTHENTICATED: exit.notAllowed,
  OUTSIDE_BOUNDARY: exit.notAllowed,
  PERMISSION_DENIED: exit.notAllowed,
  NULL_BYTE: exit.notAllowed,
  FOREIGN_ORIGIN: exit.notAllowed,
  AGENT_CANNOT_ANSWER: exit.notAllowed,
  POLICY_VIOLATION: exit.notAllowed,
  NOT_FOUND: exit.notFound,
  REQUEST_TIMEOUT: exit.failed,
  SESSION_LOCKED: exit.conflict,
  IDEMPOTENCY_CONFLICT: exit.conflict,
  ALREADY_RESOLVED: exit.conflict,
  INPUT_CHANGED: exit.conflict,
  NAME_TAKEN: exit.conflict,
  ACCOUNT_EXISTS: exit.conflict,
  ACCOUNT_IN_USE: exit.conflict,
  WORKSPACE_DIRTY: exit.conflict,
  WORKSPACE_FAILED: exit.conflict,
  NOT_QUEUED: exit.conflict,
  REVERT_CONFLICT: exit.conflict,
  DISCARD_CONFLICT: exit.conflict,
  COMMIT_REFUSED: exit.conflict,
  NOTHING_TO_COMMIT: exit.conflict,
  MERGE_CONFLICT: exit.conflict,
  CHECKOUT_IN_THE_WAY: exit.conflict,
  NOTHING_TO_MERGE: exit.conflict,
  MERGE_REFUSED: exit.conflict,
  PUSH_REFUSED: exit.conflict,
  NO_IDENTITY: exit.conflict,
  QUEUE_FULL: exit.conflict,
  BODY_TOO_LARGE: exit.usage,
  PROMPT_TOO_LARGE: exit.usage,
  ATTACHMENT_TOO_LARGE: exit.usage,
  WRONG_HOST: exit.notAllowed,
  TOO_MANY_ATTEMPTS: exit.notAllowed,
  BUG: exit.failed,
  STORAGE_FULL: exit.failed,
  STORE_BUSY: exit.failed,
  SHUTTING_DOWN: exit.noServer,
  TOO_MANY_CONNECTIONS: exit.failed,
};

export interface RejectionBody {
  readonly code: string;
  readonly message: string;
  readonly facts: Readonly<Record<string, unknown>>;
}

/** A request that the server rejected. */
export class RejectedError extends CliError {
  readonly code: string;
  readonly status: number;
  readonly facts: Readonly<Record<string, unknown>>;

  /** The server's answer, unchanged. */
  readonly answer: Readonly<Record<string, unknown>>;

  /** `words` replaces the server's message for people. */
  constructor(status: number, body: RejectionBody, words?: string) {
    super(exitFor(body.code, status), words ?? body.message, nextFor(body));
    this.answer = { error: body.message, code: body.code, ...body.facts };
    this.code = body.code;
    this.status = status;
    this.facts = body.facts;
  }
}

/** A newer server may use codes this CLI does not know; the HTTP status still says what kind they are. */
function exitFor(code: string, status: number): ExitCode {
  if (Object.hasOwn(rejectionExit, code)) return rejectionExit[code as RejectionCode];
  if (status === 401 || status === 403) return exit.notAllowed;
  if (status === 404) return exit.notFound;
  if (status === 409) return exit.conflict;
  return status >= 400 && status < 500 ? exit.usage : exit.failed;
}

/** The server's messages refer to its API; this names the matching command. */
function nextFor({ code, facts }: RejectionBody): string | undefined {
  if (code === "NOT_FOUND" && facts["what"] === "session") return "`drover ls` lists the sessions.";
  if (code === "NOT_FOUND" && facts["what"] === "conversation") {
    return "`drover conversations AGENT` lists an agent's conversations.";
  }
  const isUnknownAgent = code === "UNSUPPORTED_CLI" || (code === "NOT_FOUND" && facts["what"] === "agent");
  if (isUnknownAgent) return "`drover agents` lists the agents.";
  if (code === "UNAUTHENTICATED") {
    return "The token is read from DROVER_TOKEN or, for this home's own server, from the file `token` in the home.";
  }
  return undefined;
}
