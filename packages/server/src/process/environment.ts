import { searchPath } from "@drover/core";

type Variables = Readonly<Record<string, string | undefined>>;

export interface AgentEnvironmentSources {
  /** The server's own environment. */
  readonly server: Variables;
  readonly preset?: Variables | undefined;
  /** The account's variables; present, even when empty, as soon as the session has an account. */
  readonly account?: Variables | undefined;
  readonly project?: Variables | undefined;
  /** Names the preset takes from the server's environment when no account is set. */
  readonly passEnv?: readonly string[] | undefined;
  readonly sessionId: string;
}

/** By this variable every process of a session is found again (see marks.ts). */
export const MARK = "DROVER_SESSION";

const INHERITED = new Set([
  "PATH",
  "HOME",
  "USER",
  "LOGNAME",
  "SHELL",
  "LANG",
  "TZ",
  "TERM",
  "TMPDIR",
  "SSL_CERT_FILE",
  "SSL_CERT_DIR",
  "NODE_EXTRA_CA_CERTS",
]);
const INHERITED_PREFIXES = ["LC_", "XDG_"];
/** People write them in lower case as well; agents are told in one way. */
const PROXIES = ["HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY"];

/**
 * The whole environment of an agent: built, never inherited. Later sources win; the account comes after the
 * project, because what an account switch puts in must be what the agent uses. The mark is Drover's own.
 */
export function agentEnvironment(sources: AgentEnvironmentSources): Record<string, string> {
  const { server, account } = sources;
  const passed = account === undefined ? (sources.passEnv ?? []) : [];
  const inherited = Object.keys(server).filter(
    (name) => INHERITED.has(name) || INHERITED_PREFIXES.some((prefix) => name.startsWith(prefix)),
  );
  const environment: Record<string, string> = {};
  const layers = [
    ...[pick(server, inherited), proxies(server), pick(server, passed)],
    ...[sources.preset, sources.project, account],
  ];
  for (const layer of layers) {
    for (const [name, value] of Object.entries(layer ?? {})) {
      if (value !== undefined && name !== MARK) environment[name] = value;
    }
  }
  // An agent looks for its own tools from within the repository.
  environment["PATH"] = searchPath(environment["PATH"]);
  environment[MARK] = sources.sessionId;
  return environment;
}

const proxies = (server: Variables): Variables =>
  Object.fromEntries(PROXIES.map((name) => [name, server[name] ?? server[name.toLowerCase()]]));

function pick(variables: Variables, names: readonly string[]): Variables {
  return Object.fromEntries(names.map((name) => [name, variables[name]]));
}
