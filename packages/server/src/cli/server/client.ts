import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { isAlive } from "../../process/identity.ts";
import { listensAt } from "../../process/listener.ts";
import type { Cli } from "../cli.ts";
import { answeredBy, CliError, exit, RejectedError, type RejectionBody } from "../exit.ts";
import { type HttpRequest, readText, ServerAway, send } from "./http.ts";
import { checkToken, findOrStartServer, findServer, type Located } from "./locate.ts";
import { sessionInPath } from "./paths.ts";
import { warnOtherVersion } from "./same-version.ts";

export interface ClientOptions {
  /** --server. */
  readonly server?: string | undefined;
  /** Called when the server goes away and when it is back. */
  readonly onAway?: (away: boolean) => void;
}

/** This home's server may be starting or stopping, so a first request waits for it. A named server gets no such wait. */
const firstContactMs = 5_000;

/**
 * A client of the HTTP API that survives server restarts: it repeats a request that reached no server, on the server
 * that serves the home by then. Every POST has its own idempotency key, so repeating it has no second effect.
 */
export class Client {
  private readonly cli: Cli;
  private readonly options: ClientOptions;
  private located: Located;
  private hasAnswered = false;
  private isAway = false;
  private readonly clientId = `cli-${randomUUID().slice(0, 8)}`;

  private constructor(cli: Cli, options: ClientOptions, located: Located) {
    this.cli = cli;
    this.options = options;
    this.located = located;
  }

  /** Finds the server, or starts one if that is allowed. */
  static async connect(cli: Cli, options: ClientOptions = {}): Promise<Client> {
    const located = await findOrStartServer(cli, options.server);
    return Client.to(cli, options, located);
  }

  /** A client of the running server; undefined if there is none. Never starts one. */
  static async connectIfRunning(cli: Cli, options: ClientOptions = {}): Promise<Client | undefined> {
    const located = await findServer(cli, options.server);
    return located && Client.to(cli, options, located);
  }

  private static async to(cli: Cli, options: ClientOptions, located: Located): Promise<Client> {
    await checkToken(cli, located);
    warnOtherVersion(cli, located.version);
    return new Client(cli, options, located);
  }

  get url(): string {
    return this.located.url;
  }

  get<T>(path: string): Promise<T> {
    return this.json({ method: "GET", path });
  }

  post<T>(path: string, body: unknown = {}): Promise<T> {
    const headers = { "idempotency-key": randomUUID() };
    return this.json({ method: "POST", path, headers, body: JSON.stringify(body) });
  }

  patch<T>(path: string, body: unknown): Promise<T> {
    return this.json({ method: "PATCH", path, body: JSON.stringify(body) });
  }

  delete<T>(path: string): Promise<T> {
    return this.json({ method: "DELETE", path });
  }

  private async json<T>(request: HttpRequest): Promise<T> {
    const isRepeatable = request.method !== "DELETE";
    return this.persist(request.signal, isRepeatable, async () => {
      const response = await this.open(request);
      return JSON.parse(await readText(response)) as T;
    });
  }

  /** Sends one request and returns a successful response with its body unread. Throws `RejectedError` or `ServerAway`. */
  async open(request: HttpRequest): Promise<IncomingMessage> {
    await this.checkOwner();
    const headers = { "x-drover-client": "cli", "x-client-id": this.clientId, ...request.headers };
    const response = await send(this.located, { ...request, headers });
    const status = response.statusCode ?? 0;
    if (status >= 200 && status < 300) {
      this.reportAway(false);
      this.hasAnswered = true;
      answeredBy.set(this.cli, this.url);
      return response;
    }
    const text = await readText(response);
    const body = readRejection(text, status, this.url);
    const rejection = new RejectedError(status, body, wordsFor(body, request.path));
    if (rejection.code === "SHUTTING_DOWN") {
      throw new ServerAway(rejection.message, { delivered: false });
    }
    throw rejection;
  }

  /** Another program may have taken the port of a server that died or is stopping. It must not get the token. */
  private async checkOwner(): Promise<void> {
    const { owner, url } = this.located;
    if (!owner || (isAlive(owner) && (await listensAt(owner, url)))) return;
    throw new ServerAway(`No server answers at ${url}`, { delivered: false });
  }

  /**
   * Repeats `attempt` while the server is away, on the server that is running by then. Throws an error for people once
   * the patience of the settings has run out.
   */
  async persist<T>(
    signal: AbortSignal | undefined,
    isRepeatable: boolean,
    attempt: () => Promise<T>,
  ): Promise<T> {
    let awaySince: number | undefined;
    for (let wait = 50; ; wait = Math.min(wait * 2, 1_000)) {
      try {
        return await attempt();
      } catch (error) {
        if (!(error instanceof ServerAway)) throw error;
        if (error.delivered && !isRepeatable) throw this.lost(error);
        // Counted from the first failure: a request may have been running for long before the server went away.
        awaySince ??= performance.now();
        if (performance.now() - awaySince >= this.patience()) throw this.lost(error);
      }
      if (this.hasAnswered) this.reportAway(true);
      await pause(wait, undefined, signal ? { signal } : {});
      await this.relocate();
    }
  }

  /** A restarted server may listen on another port. */
  private async relocate(): Promise<void> {
    const server = this.options.server;
    const found = this.hasAnswered
      ? await findServer(this.cli, server)
      : await findOrStartServer(this.cli, server);
    // While this home's server is away, any program may be listening at an address without an owner.
    if (found?.owner || found?.token) this.located = found;
  }

  private patience(): number {
    if (this.hasAnswered) return this.cli.settings.patienceMs;
    return this.located.fixed ? 0 : firstContactMs;
  }

  private reportAway(away: boolean): void {
    if (away === this.isAway) return;
    this.isAway = away;
    this.options.onAway?.(away);
  }

  private lost(error: ServerAway): CliError {
    if (!this.hasAnswered || !this.isAway) {
      return new CliError(exit.noServer, `${error.message}.`, "Is it running? `drover doctor` checks.");
    }
    const seconds = Math.round(this.cli.settings.patienceMs / 1000);
    return new CliError(
      exit.noServer,
      `The server has been unreachable for ${seconds} s. Agents keep running without it.`,
      "Start it with `drover serve`; `drover attach` then shows what happened in the meantime.",
    );
  }
}

/** The server's message for an unknown session refers to the API. */
function wordsFor({ code, facts }: RejectionBody, path: string): string | undefined {
  const reference = sessionInPath(path);
  if (code !== "NOT_FOUND" || facts["what"] !== "session" || reference === undefined) return undefined;
  return `No session ${reference.startsWith("ses_") ? "with the id" : "named"} "${reference}"`;
}

function readRejection(text: string, status: number, url: string): RejectionBody {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    body = undefined;
  }
  if (typeof body === "object" && body !== null && "code" in body && "error" in body) {
    const { code, error, ...facts } = body;
    return { code: String(code), message: String(error), facts };
  }
  const message = `${url} returned ${status}, but doesn't look like a Drover server; check the address`;
  return { code: "NOT_DROVER", message, facts: {} };
}
