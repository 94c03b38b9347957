import { createStore, useStore } from "../state/store.ts";
import { browserStorage } from "../storage/storage.ts";

export const editors = ["vscode", "zed", "off"] as const;
export type Editor = (typeof editors)[number];

export const editorWords: Readonly<Record<Editor, string>> = { vscode: "VS Code", zed: "Zed", off: "Off" };

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
  if (chosen === "off") return undefined;
  const encoded = path.split("/").map(encodeURIComponent).join("/");
  return `${chosen}://file${encoded}${line === undefined ? "" : `:${line}`}`;
}
