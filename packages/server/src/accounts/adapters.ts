import type { Preset } from "@drover/core";
import type { FoundLogin, SessionWorkspace, Vault } from "../ports.ts";
import { agentEnvironment } from "../process/environment.ts";
import { KnownSecrets } from "./known-secrets.ts";
import { findOwnLogin } from "./own-login.ts";
import { fileVault } from "./vault.ts";

type Variables = Readonly<Record<string, string>>;

interface AccountParts {
  /** Where the vault keeps its files. */
  readonly vault: string;
  /** The server's home, where its agents' own commands find it. */
  readonly home: string;
  readonly serverEnvironment: () => Variables;
  /** Called with each text that must not be logged from now on. */
  readonly onSecret: (text: string) => void;
}

interface AgentProcess {
  readonly preset: Preset;
  readonly sessionId: string;
  readonly project: Variables | undefined;
  readonly workspace?: SessionWorkspace;
  readonly account?: Variables | undefined;
}

/** What the engine needs to run agents on accounts. */
export function accountAdapters({ vault, home, serverEnvironment, onSecret }: AccountParts) {
  const secrets = new KnownSecrets(onSecret);
  const environment = ({ preset, workspace, ...process }: AgentProcess): Record<string, string> =>
    agentEnvironment({
      ...process,
      server: serverEnvironment(),
      preset: preset.env,
      passEnv: preset.passEnv,
      homeEnv: preset.account?.login?.homeEnv,
      loginEnv: typeof preset.login === "object" ? preset.login.env : undefined,
      home,
      ports: workspace?.ports,
    });
  return {
    environment,
    vault: fileVault(vault) satisfies Vault,
    secrets: {
      add: (values: Iterable<string>) => secrets.add(values),
      redact: (text: string) => secrets.redact(text),
    },
    async ownLogin(preset: Preset): Promise<FoundLogin | undefined> {
      const login = preset.account?.login;
      return login && findOwnLogin(login, environment({ preset, sessionId: "", project: undefined }));
    },
  };
}
