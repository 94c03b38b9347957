import { constants } from "node:fs";
import { access, lstat, stat } from "node:fs/promises";
import { type Finding, shellWord } from "@drover/core";
import type { Home } from "../home.ts";
import type { StoreInspection } from "../ports.ts";
import { broken, fine, note } from "./finding.ts";
import { bytes } from "./words.ts";

/** Private and usable: the home holds the token and every conversation. */
export async function checkHome({ directory }: Home): Promise<Finding> {
  const found = await stat(directory).catch(() => undefined);
  if (!found) return note("home", `${directory} does not exist yet; the first start creates it`);
  if (!found.isDirectory()) {
    return broken("home", `${directory} is not a directory`, "Move it, or choose another DROVER_HOME.");
  }
  const isOthers = process.getuid !== undefined && found.uid !== process.getuid();
  if (isOthers) {
    return broken(
      "home",
      `${directory} belongs to another user`,
      `Switch to that user, or set another DROVER_HOME.`,
    );
  }
  const chmod = `\`chmod 700 ${shellWord(directory)}\``;
  if ((found.mode & 0o077) !== 0) return broken("home", `Other users can access ${directory}`, chmod);
  const refused = await access(directory, constants.R_OK | constants.W_OK | constants.X_OK).then(
    () => undefined,
    ({ code }: NodeJS.ErrnoException) => code,
  );
  if (refused === undefined) return fine("home", directory);
  const remedy = refused === "EROFS" ? "Make its disk writable, or choose another DROVER_HOME." : chmod;
  return broken("home", `${directory} cannot be written to`, remedy);
}

export async function checkToken({ token }: Home): Promise<Finding> {
  const found = await lstat(token).catch(() => undefined);
  if (!found) return note("token", "None yet; the first start creates it");
  if ((found.mode & 0o077) === 0) return fine("token", `${token} is private`);
  const remedy = `\`chmod 600 ${shellWord(token)}\`, then replace it: remove it and restart the server`;
  return broken("token", `Other users can read ${token}`, remedy);
}

export function checkDatabase(
  { database }: Home,
  { found, isSuspect, keptAside }: StoreInspection,
): Finding[] {
  const remedy = "Restore a backup, or remove it if you do not need it.";
  return [
    describe(database, found),
    ...(isSuspect ? [suspicion(database)] : []),
    ...keptAside.map((file) => note("database", `A damaged database was kept as ${file}`, remedy)),
  ];
}

/** A server that finds damage leaves a mark for the next one, which then checks everything. */
function suspicion(database: string): Finding {
  const remedy = "`drover down && drover serve`: the start checks it, and moves it aside if necessary.";
  return broken("database", `Damage was found in ${database}`, remedy);
}

function describe(database: string, found: StoreInspection["found"]): Finding {
  switch (found.state) {
    case "none":
      return note("database", "None yet; the first start creates it");
    case "unreadable": {
      const what = `${database} cannot be read: ${found.error}`;
      return broken("database", what, `\`chmod 600 ${shellWord(database)}\``);
    }
    case "newer": {
      const { schema, known } = found;
      const what = `${database} was written by a newer Drover (schema ${schema}, this one knows ${known})`;
      return broken("database", what, "Start that version again, or restore a backup made by this one.");
    }
    case "damaged": {
      const remedy = "Start the server: it moves the file aside and says how to recover its contents.";
      return broken("database", `${database} is damaged`, remedy);
    }
    case "readable":
      return fine("database", `${database}, ${bytes(found.bytes)}`);
  }
}
