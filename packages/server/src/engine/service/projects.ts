import { basename } from "node:path";
import { ok, type Project, reject, sizeOf } from "@drover/core";
import type { ProjectRecords, ProjectRow, SessionRow } from "../../ports.ts";
import type { Answer, Service } from "../../service.ts";
import type { EngineDeps } from "../deps.ts";
import { isWithin, refuseMissing } from "../directory.ts";
import { newId } from "../ids.ts";
import { notFound } from "../not-found.ts";
import { Mailbox } from "../session/mailbox.ts";

interface ProjectDeps extends Pick<EngineDeps, "resolvePath" | "repositoryTop" | "isHomeOrAbove"> {
  /** Moves the sessions below a new project that are filed under another one. */
  readonly refile: (project: ProjectRow) => Promise<void>;
  /** The same, without waiting for it. */
  readonly refileLater: (project: ProjectRow) => void;
}

/** A session by the directory a person chose: a worktree of it belongs to the same project. */
interface Filed {
  readonly workspace: Pick<SessionRow["workspace"], "projectDir">;
  readonly about: Pick<SessionRow["about"], "projectId">;
}

/** Directories people work in. Few, so they are held in memory; every change is stored first. */
export class Projects {
  private readonly store: ProjectRecords;
  private readonly deps: ProjectDeps;
  private rows: Promise<ProjectRow[]> | undefined;
  /** Changes are serialized: two at once could lose one, or make two projects of one directory. */
  private readonly changes = new Mailbox();

  constructor(store: ProjectRecords, deps: ProjectDeps) {
    this.store = store;
    this.deps = deps;
  }

  /**
   * The project of a directory; made on first use, for the repository the directory lies in, untrusted. The user's home
   * and the directories above it have none.
   */
  async holding(directory: string): Promise<ProjectRow | undefined> {
    const top = await this.deps.repositoryTop(directory);
    const path = top ?? directory;
    if (await this.deps.isHomeOrAbove(path)) return undefined;
    const { project, isNew } = await this.changes.run(async () => {
      const holder = await this.innermost(directory, top);
      return { project: holder ?? (await this.save(fresh(path, undefined))), isNew: !holder };
    });
    if (isNew) this.deps.refileLater(project);
    return project;
  }

  /** Adds a project under this name, unless there are projects already. */
  async addFirst(path: string, name: string): Promise<void> {
    if ((await this.all()).length > 0) return;
    const resolved = await this.deps.resolvePath(path, "path");
    if (resolved.ok) await this.changes.run(() => this.add(resolved.value, name));
  }

  /** The project of a directory, if there is one yet. */
  async holder(directory: string): Promise<ProjectRow | undefined> {
    return this.innermost(directory, await this.deps.repositoryTop(directory));
  }

  /**
   * The project whose trust and variables a session has. That is the one it is filed under, unless its directory has
   * become part of a repository inside that project.
   */
  async current({ workspace, about }: Filed): Promise<ProjectRow | undefined> {
    const { projectDir } = workspace;
    const filed = await this.find(about.projectId);
    return filed && !(await this.covers(filed, projectDir)) ? this.holder(projectDir) : filed;
  }

  /** Like `current`, but makes the project if there is none yet. */
  async claim({ workspace, about }: Filed): Promise<ProjectRow | undefined> {
    const { projectDir } = workspace;
    const filed = await this.find(about.projectId);
    return filed && !(await this.covers(filed, projectDir)) ? this.holding(projectDir) : filed;
  }

  /** The project that a session should be moved to. Undefined when it is filed under the nearest one. */
  async nearer({ workspace, about }: Filed, added: ProjectRow | undefined): Promise<ProjectRow | undefined> {
    const { projectDir } = workspace;
    const filed = await this.find(about.projectId);
    if (filed && !(await this.covers(filed, projectDir))) return this.holding(projectDir);
    const holder = await this.holder(projectDir);
    // A session whose project was removed is moved only when a project is added for it again.
    const isNearer = filed ? holder && holder.path.length > filed.path.length : holder?.id === added?.id;
    return isNearer ? holder : undefined;
  }

  private async innermost(directory: string, top: string | undefined): Promise<ProjectRow | undefined> {
    const above = (await this.all()).filter((project) => isWithin(project.path, directory));
    for (const project of above.sort((a, b) => b.path.length - a.path.length)) {
      if (await this.mayHold(project, top)) return project;
    }
    return undefined;
  }

  private async covers(project: ProjectRow, directory: string): Promise<boolean> {
    return this.mayHold(project, await this.deps.repositoryTop(directory));
  }

  /** A repository is not part of a project that lies above it: trust in a folder does not extend to a clone in it. */
  private async mayHold({ path }: ProjectRow, top: string | undefined): Promise<boolean> {
    return (top === undefined || isWithin(top, path)) && !(await this.deps.isHomeOrAbove(path));
  }

  async find(id: string | undefined): Promise<ProjectRow | undefined> {
    return (await this.all()).find((project) => project.id === id);
  }

  asService(): Service["projects"] {
    return {
      list: async () => (await this.all()).map(view),
      add: async ({ path, name }) => {
        const resolved = await this.deps.resolvePath(path, "path");
        if (!resolved.ok) return resolved;
        const missing = await refuseMissing(resolved.value, { given: path, field: "path" });
        if (missing) return missing;
        if (await this.deps.isHomeOrAbove(resolved.value)) return refuseHome(path);
        const project = await this.changes.run(() => this.add(resolved.value, name));
        await this.deps.refile(project);
        return ok(view(project));
      },
      patch: (id, patch) => this.changes.run(() => this.patch(id, patch)),
      remove: (id) => this.changes.run(() => this.remove(id)),
    };
  }

  /** It may exist since its first use, under a generated name. */
  private async add(path: string, name: string | undefined): Promise<ProjectRow> {
    const existing = (await this.all()).find((project) => project.path === path);
    if (existing && (name === undefined || name === existing.name)) return existing;
    const project = fresh(path, name);
    return this.save(existing ? { ...existing, name: project.name } : project);
  }

  private async patch(id: string, patch: Parameters<Service["projects"]["patch"]>[1]): Answer<Project> {
    const project = await this.find(id);
    if (!project) return notFound("project", id);
    const env = { ...project.env };
    for (const [key, value] of Object.entries(patch.env ?? {})) {
      if (value === null) delete env[key];
      else env[key] = value;
    }
    if (sizeOf(env) > maxEnvironment) {
      const message = `a project's variables may have ${maxEnvironment} characters in all; remove some`;
      return reject("BAD_REQUEST", message, { issues: [{ path: "env", message }] });
    }
    const { name = project.name, trusted = project.trusted, setup = project.setup } = patch;
    const { workspace = project.workspace, checks = project.checks, target = project.target } = patch;
    const chosen = {
      ...(workspace ? { workspace } : {}),
      ...(checks?.length ? { checks } : {}),
      ...(target ? { target } : {}),
    };
    const changed = { id, path: project.path, name, trusted, env, setup, ...chosen };
    return ok(view(await this.save(changed)));
  }

  private async remove(id: string): Answer<{ deleted: true }> {
    if (!(await this.find(id))) return notFound("project", id);
    await this.store.removeProject(id);
    this.rows = undefined;
    return ok({ deleted: true });
  }

  private all(): Promise<ProjectRow[]> {
    this.rows ??= this.store.projects().catch((error: unknown) => {
      // Try again after a busy store.
      this.rows = undefined;
      throw error;
    });
    return this.rows;
  }

  private async save(project: ProjectRow): Promise<ProjectRow> {
    await this.store.saveProject(project);
    this.rows = undefined;
    return project;
  }
}

/** Linux starts no program whose arguments and environment exceed a few megabytes. */
const maxEnvironment = 524_288;

const fresh = (path: string, name: string | undefined): ProjectRow => ({
  id: newId("project"),
  path,
  name: name ?? (basename(path) || path),
  trusted: false,
  env: {},
  setup: [],
});

function refuseHome(path: string) {
  const message = `${path} is your home directory or contains it; add a directory inside your home`;
  return reject("BAD_REQUEST", message, { issues: [{ path: "path", message }] });
}

const view = ({ env, ...project }: ProjectRow): Project => ({ ...project, env: Object.keys(env) });
