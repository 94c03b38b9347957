import { access, mkdir, mkdtemp, readdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, isAbsolute, join } from "node:path";
import { type AgentPackage, Fault, ok, type Preset, type Rejection, type Result, reject } from "@drover/core";
import { directoryOf, packageIn } from "./locate.ts";
import { type AgentLockfile, readLockfile } from "./lockfile.ts";
import { INSTALL_TIMEOUT_MS, type NpmRun, npmCi } from "./npm.ts";

export interface Install extends Omit<NpmRun, "directory"> {
  /** Where added agents are kept. */
  readonly agents: string;
  /** Drover's own directory, which has the lockfiles. */
  readonly own: string;
}

/** No package has this name: names do not start with a dot. */
const ASIDE = ".adding-";

/**
 * Installs an agent's program from the lockfile that comes with Drover, so that every package is the tested one,
 * without running any of their scripts. npm works in a separate directory, which is moved into place only once it is
 * complete: a half-installed agent is never found, and no lock is needed, because two concurrent installs (a server and
 * a command line) share nothing before their last step. Rejects with a Fault if npm fails, or if its result cannot be
 * put in place.
 */
export async function installAgent(preset: Preset, install: Install): Promise<Result<void, Rejection>> {
  const { name, command, package: npm } = preset;
  if (!npm) {
    const next = isAbsolute(command)
      ? `It is started as ${command}.`
      : `Install ${command} yourself, so that it is found on PATH.`;
    return reject("UNSUPPORTED", `${name} is not installed by Drover. ${next}`, { what: "add" });
  }
  return installPackage({ ...preset, package: npm }, install).catch((error: NodeJS.ErrnoException) => {
    if (error.syscall === undefined) throw error;
    const next = "Make sure that this directory can be created and written to.";
    throw new Fault("AGENT_MISSING", `${install.agents}: ${error.message}. ${next}`);
  });
}

type Packaged = Preset & Required<Pick<Preset, "package">>;

async function installPackage(
  { name, agent, package: npm }: Packaged,
  install: Install,
): Promise<Result<void, Rejection>> {
  const { agents, own } = install;
  const yourself = `Install ${name} yourself and set agents.${agent}.command.`;
  const lockfile = await readLockfile(own, npm);
  if (!lockfile) {
    const what = `This Drover has no lockfile for ${npm.name} ${npm.version}, so the packages npm would install cannot be verified.`;
    return reject("UNSUPPORTED", `${what} ${yourself}`, { what: "add" });
  }
  await mkdir(agents, { recursive: true, mode: 0o700 });
  await removeLeft(agents);
  const aside = await mkdtemp(join(agents, ASIDE));
  try {
    const directory = join(aside, "new");
    await mkdir(directory, { mode: 0o700 });
    const manifest = { private: true, ...lockfile.packages[""] };
    await writeFile(join(directory, "package.json"), JSON.stringify(manifest));
    await writeFile(join(directory, "package-lock.json"), JSON.stringify(lockfile));
    await npmCi({ ...install, directory });
    if (!(await packageIn(join(directory, "node_modules"), npm))) {
      const program = await leftOut(directory, npm, lockfile);
      if (program !== undefined) {
        const why = "it could not be fetched, or does not match Drover's lockfile";
        throw new Fault("AGENT_MISSING", `npm left out ${program}: ${why}. Nothing was installed.`);
      }
      const what = `${npm.name} ${npm.version}, as Drover's lockfile has it, has no program for ${platform}.`;
      return reject("UNSUPPORTED", `${what} ${yourself}`, { what: "add" });
    }
    await takePlace(directory, { aside, place: directoryOf(agents, npm) });
    return ok(undefined);
  } finally {
    await rm(aside, { recursive: true, force: true });
  }
}

const platform = `${process.platform}-${process.arch}`;

/**
 * The package of this platform's program, if npm did not install it although the lockfile has it: npm skips an optional
 * package that it cannot fetch, or that does not match.
 */
async function leftOut(directory: string, npm: AgentPackage, { packages }: AgentLockfile) {
  const path = typeof npm.bin === "object" ? npm.bin[platform] : npm.bin;
  const [, program] = /^((?:@[^/]+\/)?[^/]+)\//.exec(path ?? "") ?? [];
  const locked = Object.keys(packages).find((at) => at.endsWith(`node_modules/${program}`));
  if (locked === undefined) return undefined;
  return access(join(directory, locked)).then(
    () => undefined,
    () => program,
  );
}

/** The previous directory is moved away first: a directory can only replace an empty one. */
async function takePlace(
  directory: string,
  { aside, place }: { aside: string; place: string },
): Promise<void> {
  await mkdir(dirname(place), { recursive: true, mode: 0o700 });
  for (let round = 0; ; round++) {
    await rename(place, join(aside, `old-${round}`)).catch(unless("ENOENT"));
    const isTaken = await rename(directory, place).then(() => false, unless("ENOTEMPTY", "EEXIST"));
    // Another process finished at this very moment.
    if (isTaken === false) return;
  }
}

const unless =
  (...codes: string[]) =>
  (error: NodeJS.ErrnoException): undefined => {
    if (!codes.includes(error.code ?? "")) throw error;
  };

/** What a killed process left behind, once no other process can be working there. */
async function removeLeft(agents: string): Promise<void> {
  const names = (await readdir(agents)).filter((name) => name.startsWith(ASIDE));
  for (const path of names.map((name) => join(agents, name))) {
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Number.NaN }));
    if (Date.now() - mtimeMs > 2 * INSTALL_TIMEOUT_MS) await rm(path, { recursive: true, force: true });
  }
}
