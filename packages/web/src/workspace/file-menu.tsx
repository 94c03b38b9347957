import type { ChangedFile } from "@drover/core";
import { exactText } from "../format/terminal.ts";

interface FileMenuProps {
  readonly files: readonly ChangedFile[];
  readonly current: string | undefined;
  readonly onChoose: (path: string) => void;
}

/** The list of files where there is no room for one. */
export function FileMenu({ files, current, onChoose }: FileMenuProps) {
  return (
    <select
      aria-label="Changed files"
      className="field h-9 w-full font-mono text-xs"
      value={current ?? ""}
      onChange={(event) => onChoose(event.target.value)}
    >
      {files.map(({ path }) => (
        <option key={path} value={path}>
          {exactText(path)}
        </option>
      ))}
    </select>
  );
}
