import { Choice } from "../ui/choice.tsx";
import { chooseEditor, type Editor, editors, editorWords, useEditor } from "./editor.ts";

const options = editors.map((value) => ({ value, name: editorWords[value] }));

const abouts: Readonly<Record<Editor, string>> = {
  vscode: "Opens changed files on this computer, so it needs them at the same path as the server.",
  zed: "Opens changed files on this computer, so it needs them at the same path as the server.",
  terminal:
    "Copies a command that opens a changed file at its first change, for a terminal on the server's machine.",
  off: "Changed files have no button that opens them.",
};

export function EditorField() {
  const editor = useEditor();
  return (
    <Choice legend="Editor" options={options} value={editor} onChange={chooseEditor} about={abouts[editor]} />
  );
}
