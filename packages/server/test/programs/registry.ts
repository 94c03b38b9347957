import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { onTestFinished } from "vitest";
import { lockfileOf } from "../../src/programs/lockfile.ts";

const run = promisify(execFile);

export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly dependencies?: Record<string, string>;
  readonly optionalDependencies?: Record<string, string>;
  readonly scripts?: Record<string, string>;
}

interface Published {
  readonly manifest: Manifest;
  readonly tarball: Buffer;
  readonly integrity: string;
}

export interface Registry {
  readonly url: string;
  /** Publishes a package with this text as `cli.js`, replacing an earlier one; `claims` is the integrity it is served with. */
  publish(manifest: Manifest, text?: string, claims?: string): Promise<string>;
  /** Writes the lockfile that Drover at `own` would have for the first package; the others are its dependencies. */
  lock(own: string, ...manifests: Manifest[]): Promise<void>;
}

/** The parts of npm's registry that `npm ci` uses, on loopback, until the test has finished. */
export async function openRegistry(directory: string): Promise<Registry> {
  const packages = new Map<string, Published>();
  const key = ({ name, version }: Manifest) => `${name}@${version}`;
  const server = createServer(({ url = "/" }, response) => {
    const path = decodeURIComponent(url.slice(1));
    const tarball = packages.get(path);
    const versions = [...packages.values()].filter(({ manifest }) => manifest.name === path);
    if (tarball) return response.end(tarball.tarball);
    if (versions.length === 0) return response.writeHead(404).end("{}");
    const body = {
      name: path,
      versions: Object.fromEntries(
        versions.map(({ manifest, integrity }) => [
          manifest.version,
          {
            ...manifest,
            dist: { integrity, tarball: `${registry.url}/${encodeURIComponent(key(manifest))}` },
          },
        ]),
      ),
    };
    response.setHeader("content-type", "application/json").end(JSON.stringify(body));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const registry: Registry = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async publish(manifest, text = "", claims) {
      const source = join(directory, "published", key(manifest), String(packages.size));
      await mkdir(join(source, "package"), { recursive: true });
      await writeFile(join(source, "package", "package.json"), JSON.stringify(manifest));
      await writeFile(join(source, "package", "cli.js"), text);
      await run("tar", ["-czf", "package.tgz", "package"], { cwd: source });
      const tarball = await readFile(join(source, "package.tgz"));
      const integrity = `sha512-${createHash("sha512").update(tarball).digest("base64")}`;
      packages.set(key(manifest), { manifest, tarball, integrity: claims ?? integrity });
      return integrity;
    },
    async lock(own, ...manifests) {
      const [first] = manifests;
      if (!first) return;
      const optional = new Set(manifests.flatMap((each) => Object.keys(each.optionalDependencies ?? {})));
      const entries = manifests.map((manifest) => {
        const { name, scripts: _, ...fields } = manifest;
        const integrity = packages.get(key(manifest))?.integrity;
        return [
          `node_modules/${name}`,
          { ...fields, integrity, ...(optional.has(name) ? { optional: true } : {}) },
        ];
      });
      const root = { dependencies: { [first.name]: first.version } };
      const file = lockfileOf(own, first.name);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(
        file,
        JSON.stringify({ lockfileVersion: 3, packages: { "": root, ...Object.fromEntries(entries) } }),
      );
    },
  };
  return registry;
}
