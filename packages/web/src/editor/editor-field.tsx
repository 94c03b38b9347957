import { Choice } from "../ui/choice.tsx";
import { chooseEditor, editors, editorWords, useEditor } from "./editor.ts";

const options = editors.map((value) => ({ value, name: editorWords[value] }));

export function EditorField() {
  return (
    <Choice
      legend="Editor"
      options={options}
      value={useEditor()}
      onChange={chooseEditor}
      about="Opens changed files on this computer, so it needs them at the same path as the server."
    />
  );
}
