import { type ChangedFile, exactText } from "@drover/core";
import { Select } from "../ui/select.tsx";

interface FileMenuProps {
  readonly files: readonly ChangedFile[];
  readonly current: string | undefined;
  readonly viewed: ReadonlySet<string> | undefined;
  readonly onChoose: (path: string) => void;
}

/** The file name comes first, because it is all that is visible of a long path. */
function nameFirst(path: string): string {
  const at = path.lastIndexOf("/") + 1;
  return at === 0 ? path : `${path.slice(at)} · ${path.slice(0, at - 1)}`;
}

/** The list of files for narrow pages. */
export function FileMenu({ files, current, viewed, onChoose }: FileMenuProps) {
  return (
    <Select
      aria-label="Changed files"
      className="text-xs"
      value={current ?? ""}
      onChange={(event) => onChoose(event.target.value)}
    >
      {files.map(({ path }) => (
        <option key={path} value={path}>
          {`${viewed?.has(path) ? "✓ " : ""}${exactText(nameFirst(path))}`}
        </option>
      ))}
    </Select>
  );
}
