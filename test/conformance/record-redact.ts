// Removes from an agent's output everything specific to the machine and the run. The replacements are stable and have the
// same form, so that they make no difference to a mapper.
import { hostname, userInfo } from "node:os";

/** The values of the run, and their replacements in the transcript. */
export interface Places {
  /** Directories by their replacement; the longest path is replaced first. */
  directories: Record<string, string>;
  /** The model's port. */
  port: string;
  /** Made-up keys, which must not look real. */
  keys: readonly string[];
}

const recordedPort = "8000";

/** The ways agents write a directory: unchanged, without its first slash, and as one file name. */
function spellings(directory: string): string[] {
  const asName = directory.replace(/[^a-zA-Z0-9]/g, "-");
  return [directory, directory.replace(/^\//, ""), asName];
}

const word = (text: string) => new RegExp(`\\b${text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}\\b`, "g");

/** The names of this machine and its user, except generic ones. */
function ownNames(): [name: string, instead: string][] {
  const names: [string, string][] = [
    [hostname(), "host"],
    [userInfo().username, "user"],
  ];
  return names.filter(([name]) => !["localhost", "root", "node", ""].includes(name));
}

export function redactor({ directories, port, keys }: Places): (line: string) => string {
  const moved = Object.entries(directories).sort(([one], [other]) => other.length - one.length);
  const renamed = moved.flatMap(([from, to]) => {
    const instead = spellings(to);
    return spellings(from).map((spelling, index): [string, string] => [spelling, instead[index] ?? to]);
  });
  return (line) => {
    let text = line;
    for (const [from, to] of renamed) text = text.replaceAll(from, to);
    for (const key of keys) text = text.replaceAll(key, "KEY");
    text = text.replaceAll(`127.0.0.1:${port}`, `127.0.0.1:${recordedPort}`);
    for (const [name, instead] of ownNames()) text = text.replace(word(name), instead);
    return text;
  };
}
