import { isDeepStrictEqual } from "node:util";
import {
  type Account,
  type AddAccount,
  accountGroupOf,
  type FoundLogins,
  ok,
  type Preset,
  type Rejection,
  type Result,
  reject,
} from "@drover/core";
import type { AccountRow } from "../../ports.ts";
import type { AccountsService } from "../../service.ts";
import type { EngineDeps } from "../deps.ts";
import { newId } from "../ids.ts";
import { notFound } from "../not-found.ts";
import { Mailbox } from "../session/mailbox.ts";
import { valuesOf } from "./open-vault.ts";
import { type Login, loginFrom } from "./secret-of.ts";
import { accountView } from "./view.ts";

export function accountsService(deps: EngineDeps): AccountsService {
  const { store, vault } = deps;
  // One change after another: labels and logins stay unique.
  const changes = new Mailbox();

  async function list(): Promise<readonly Account[]> {
    const [accounts, uses] = await Promise.all([store.accounts(), store.accountUses()]);
    return accounts.map((account) => accountView(account, uses));
  }

  async function get(id: string): Promise<Result<Account, Rejection>> {
    const account = (await list()).find((one) => one.id === id);
    return account ? ok(account) : notFound("account", id);
  }

  return {
    list,
    get,

    add: (input) =>
      changes.run(async () => {
        const preset = accountedPreset(deps, input.agent);
        if (!preset.ok) return preset;
        const login = await loginFrom(deps, preset.value, input);
        if (!login.ok) return login;
        const accounts = await ofGroup(deps, accountGroupOf(preset.value));
        const taken = (await sameLogin(deps, accounts, login.value)) ?? sameLabel(accounts, input.label);
        if (taken) return taken;
        const row = newAccount(preset.value, { input, login: login.value, accounts });
        const { secret } = login.value;
        if (secret) {
          deps.secrets.add(valuesOf(secret));
          await vault.save(row.id, secret);
        }
        await store.addAccount(row);
        return get(row.id);
      }),

    patch: (id, patch) =>
      changes.run(async () => {
        const known = await get(id);
        if (!known.ok) return known;
        const others = (await ofGroup(deps, known.value.group)).filter((one) => one.id !== id);
        const taken = sameLabel(others, patch.label);
        if (taken) return taken;
        const entries = Object.entries(patch).filter(([, value]) => value !== undefined);
        await store.changeAccount(id, Object.fromEntries(entries));
        return get(id);
      }),

    remove: (id) =>
      changes.run(async () => {
        const known = await get(id);
        if (!known.ok) return known;
        const { label, sessions } = known.value;
        if (sessions.length > 0) return inUse(label, sessions);
        await store.removeAccount(id);
        await vault.remove(id);
        return ok({ deleted: true as const });
      }),

    clear: (id) =>
      changes.run(async () => {
        await store.changeAccount(id, { exhausted: null, refusal: null });
        return get(id);
      }),

    async discover({ agent }) {
      const preset = agent === undefined ? undefined : accountedPreset(deps, agent);
      if (preset && !preset.ok) return preset;
      const presets = preset ? [preset.value] : [...deps.presets.values()];
      return ok({ found: await findLogins(deps, presets) });
    },
  };
}

/** An agent that Drover can give a login. */
function accountedPreset({ presets }: EngineDeps, agent: string): Result<Preset, Rejection> {
  const preset = presets.get(agent);
  if (!preset) return notFound("agent", agent);
  if (preset.account) return ok(preset);
  const message = `${preset.name} takes no login from Drover; it uses its own`;
  return reject("UNSUPPORTED", message, { what: "accounts" });
}

const ofGroup = async ({ store }: EngineDeps, group: string): Promise<AccountRow[]> =>
  (await store.accounts()).filter((account) => account.group === group);

interface Adding {
  readonly input: AddAccount;
  readonly login: Login;
  /** Those of the group. */
  readonly accounts: readonly AccountRow[];
}

function newAccount(preset: Preset, { input, login, accounts }: Adding): AccountRow {
  const { email, priority = 0 } = input;
  const group = accountGroupOf(preset);
  return {
    id: newId("account"),
    group,
    label: input.label ?? freeLabel(email ?? group, accounts),
    ...(email === undefined ? {} : { email }),
    ...login.row,
    priority,
    enabled: true,
    createdAt: new Date().toISOString(),
  };
}

function freeLabel(wanted: string, accounts: readonly AccountRow[]): string {
  const isTaken = (label: string) => accounts.some((account) => account.label === label);
  let label = wanted;
  for (let n = 2; isTaken(label); n++) label = `${wanted} ${n}`;
  return label;
}

function sameLabel(
  accounts: readonly AccountRow[],
  label: string | undefined,
): Result<never, Rejection> | undefined {
  const other = accounts.find((account) => account.label === label);
  return other && exists(`Another account is called ${other.label}; choose another label`, other);
}

async function sameLogin(
  { vault }: EngineDeps,
  accounts: readonly AccountRow[],
  { secret, row }: Login,
): Promise<Result<never, Rejection> | undefined> {
  for (const account of accounts) {
    const isSame =
      secret === undefined
        ? account.path === row.path
        : isDeepStrictEqual(
            // One that cannot be read is no obstacle.
            valuesOf((await vault.read(account.id).catch(() => undefined)) ?? {}),
            valuesOf(secret),
          );
    if (isSame) return exists(`This is the login of the account ${account.label}`, account);
  }
  return undefined;
}

const exists = (message: string, { id }: AccountRow) => reject("ACCOUNT_EXISTS", message, { account: id });

function inUse(label: string, sessions: Account["sessions"]): Result<never, Rejection> {
  const names = sessions.map(({ name }) => name).join(", ");
  const message = `The account ${label} is used by ${names}; choose another one for them with \`drover account use\`, or wait for their turns`;
  return reject("ACCOUNT_IN_USE", message, { sessions: sessions.map(({ id }) => id) });
}

async function findLogins(deps: EngineDeps, presets: readonly Preset[]): Promise<FoundLogins["found"]> {
  const accounts = await deps.store.accounts();
  const found = new Map<string, FoundLogins["found"][number]>();
  for (const preset of presets) {
    const group = accountGroupOf(preset);
    const login = await deps.ownLogin(preset);
    if (!login || found.has(group)) continue;
    const { path, expiresAt } = login;
    const known = accounts.find((account) => account.group === group && account.path === path)?.id;
    found.set(group, {
      ...{ group, agent: preset.agent, path },
      ...(expiresAt === undefined ? {} : { expiresAt }),
      ...(known === undefined ? {} : { known }),
    });
  }
  return [...found.values()];
}
