import { type ChangedFile, exactText } from "@drover/core";
import { Select } from "../ui/select.tsx";

interface FileMenuProps {
  readonly files: readonly ChangedFile[];
  readonly current: string | undefined;
  readonly onChoose: (path: string) => void;
}

/** Its name first: that is what a file is looked for by, and what is seen of a long path. */
function nameFirst(path: string): string {
  const at = path.lastIndexOf("/") + 1;
  return at === 0 ? path : `${path.slice(at)} · ${path.slice(0, at - 1)}`;
}

/** The list of files where there is no room for one. */
export function FileMenu({ files, current, onChoose }: FileMenuProps) {
  return (
    <Select
      aria-label="Changed files"
      className="text-xs"
      value={current ?? ""}
      onChange={(event) => onChoose(event.target.value)}
    >
      {files.map(({ path }) => (
        <option key={path} value={path}>
          {exactText(nameFirst(path))}
        </option>
      ))}
    </Select>
  );
}
