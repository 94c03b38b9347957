import { shellWord } from "@drover/core";
import { createStore, useStore } from "../state/store.ts";
import { browserStorage } from "../storage/storage.ts";

export const editors = ["vscode", "zed", "terminal", "off"] as const;
export type Editor = (typeof editors)[number];

export const editorWords: Readonly<Record<Editor, string>> = {
  vscode: "VS Code",
  zed: "Zed",
  terminal: "$EDITOR",
  off: "Off",
};

const storageKey = "drover:editor";

const editor = createStore<Editor>(
  editors.find((name) => name === browserStorage.read(storageKey)) ?? "vscode",
);

export function chooseEditor(chosen: Editor): void {
  browserStorage.write(storageKey, chosen);
  editor.set(chosen);
}

/** The editor that opens files, stored in the browser. */
export const useEditor = (): Editor => useStore(editor, (now) => now);

/** The address that opens a file in an editor on the computer the browser runs on. */
export function editorHref(chosen: Editor, path: string, line?: number): string | undefined {
  if (chosen === "off" || chosen === "terminal") return undefined;
  const encoded = path.split("/").map(encodeURIComponent).join("/");
  return `${chosen}://file${encoded}${line === undefined ? "" : `:${line}`}`;
}

/**
 * The command that opens a file in a terminal, for editors that need one: the page has none. `+12` is the line in vi,
 * Emacs, nano and most others.
 */
export const editorCommand = (path: string, line?: number): string =>
  `\${EDITOR:-vi} ${line === undefined ? "" : `+${line} `}${shellWord(path)}`;
