import { PathField } from "../completion/path-field.tsx";
import { Field } from "../ui/field.tsx";
import type { Directory } from "./choices.ts";

interface DirectoryFieldProps {
  readonly directories: readonly Directory[];
  readonly value: string;
  readonly onChange: (path: string) => void;
}

const offered = 5;

/** The working directory: any path, with buttons for the known ones. */
export function DirectoryField({ directories, value, onChange }: DirectoryFieldProps) {
  return (
    <div className="grid min-w-0 gap-1.5">
      <Field label="Working directory">
        {(control) => (
          <PathField
            {...control}
            value={value}
            onChange={onChange}
            recent={directories.map(({ path }) => path)}
          />
        )}
      </Field>
      {directories.length > 1 && (
        <p className="flex flex-wrap gap-1">
          {directories.slice(0, offered).map(({ path, name }) => (
            <button
              key={path}
              type="button"
              title={path}
              aria-pressed={path === value}
              onClick={() => onChange(path)}
              className="h-6 max-md:min-w-10 max-w-40 truncate rounded-full border border-line px-2 text-muted text-xs hover:text-ink aria-pressed:border-ink aria-pressed:text-ink"
            >
              {name}
            </button>
          ))}
        </p>
      )}
    </div>
  );
}
