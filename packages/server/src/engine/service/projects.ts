import { basename, relative } from "node:path";
import { ok, type Project, reject, sizeOf } from "@drover/core";
import type { ProjectRecords, ProjectRow } from "../../ports.ts";
import type { Answer, Service } from "../../service.ts";
import type { EngineDeps } from "../deps.ts";
import { refuseMissing } from "../directory.ts";
import { newId } from "../ids.ts";
import { notFound } from "../not-found.ts";
import { Mailbox } from "../session/mailbox.ts";

type ProjectDeps = Pick<EngineDeps, "resolvePath" | "repositoryTop">;

/** Directories people work in. Few, so they are held in memory; every change is stored first. */
export class Projects {
  private readonly store: ProjectRecords;
  private readonly deps: ProjectDeps;
  private rows: Promise<ProjectRow[]> | undefined;
  /** Every change reads what it changes: together, two would lose one, or make one directory two projects. */
  private readonly changes = new Mailbox();

  constructor(store: ProjectRecords, deps: ProjectDeps) {
    this.store = store;
    this.deps = deps;
  }

  /** The project of a directory; made on first use, for the repository the directory lies in, untrusted. */
  async holding(directory: string): Promise<ProjectRow> {
    const top = await this.deps.repositoryTop(directory);
    return this.changes.run(
      async () => (await this.innermost(directory, top)) ?? this.save(fresh(top ?? directory, undefined)),
    );
  }

  /** The project of a directory, if there is one yet. */
  async holder(directory: string): Promise<ProjectRow | undefined> {
    return this.innermost(directory, await this.deps.repositoryTop(directory));
  }

  /** A repository is not part of a project that lies above it: trust in a folder does not extend to a clone in it. */
  private async innermost(directory: string, top: string | undefined): Promise<ProjectRow | undefined> {
    const holders = (await this.all())
      .filter((project) => isWithin(project.path, directory))
      .filter((project) => top === undefined || isWithin(top, project.path));
    return holders.sort((a, b) => b.path.length - a.path.length)[0];
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
        return missing ?? this.changes.run(() => this.add(resolved.value, name));
      },
      patch: (id, patch) => this.changes.run(() => this.patch(id, patch)),
      remove: (id) => this.changes.run(() => this.remove(id)),
    };
  }

  /** It may be there since its first use, under a name nobody chose. */
  private async add(path: string, name: string | undefined): Answer<Project> {
    const existing = (await this.all()).find((project) => project.path === path);
    if (existing && (name === undefined || name === existing.name)) return ok(view(existing));
    const project = fresh(path, name);
    return ok(view(await this.save(existing ? { ...existing, name: project.name } : project)));
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
    const { name = project.name, trusted = project.trusted } = patch;
    return ok(view(await this.save({ ...project, name, trusted, env })));
  }

  private async remove(id: string): Answer<{ deleted: true }> {
    if (!(await this.find(id))) return notFound("project", id);
    await this.store.removeProject(id);
    this.rows = undefined;
    return ok({ deleted: true });
  }

  private all(): Promise<ProjectRow[]> {
    this.rows ??= this.store.projects().catch((error: unknown) => {
      // A store that was busy once is asked again.
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
});

const view = ({ id, path, name, trusted, env }: ProjectRow): Project => ({
  id,
  path,
  name,
  trusted,
  env: Object.keys(env),
});

/** `/srv/a` holds `/srv/a/b`, and does not hold `/srv/a-evil`. */
function isWithin(holder: string, path: string): boolean {
  const way = relative(holder, path);
  return way === "" || (way !== ".." && !way.startsWith("../") && !way.startsWith("/"));
}
