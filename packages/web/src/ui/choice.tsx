import { type ReactNode, useId } from "react";

interface ChoiceProps<T extends string> {
  readonly legend: string;
  readonly options: readonly { readonly value: T; readonly name: ReactNode; readonly disabled?: boolean }[];
  readonly value: T;
  readonly onChange: (value: T) => void;
  /** Explains the selected option. */
  readonly about?: ReactNode;
}

/** A choice between a few options, all visible at once. */
export function Choice<T extends string>({ legend, options, value, onChange, about }: ChoiceProps<T>) {
  const name = useId();
  return (
    <fieldset aria-describedby={about ? `${name}-about` : undefined} className="grid min-w-0 gap-1.5">
      <legend className="mb-1.5 font-medium">{legend}</legend>
      <div
        className={`grid auto-cols-fr grid-flow-col gap-0.5 rounded-md bg-track p-0.5 ${options.length > 3 ? "max-md:grid-flow-row max-md:grid-cols-2" : ""}`}
      >
        {options.map((option) => (
          <label
            key={option.value}
            className="flex items-center justify-center rounded-sm px-2 py-1 text-center text-muted text-xs has-checked:bg-thumb has-checked:font-medium has-checked:text-ink has-checked:shadow-float has-disabled:opacity-50 focus-frame max-md:min-h-10"
          >
            <input
              type="radio"
              name={name}
              className="framed sr-only"
              checked={option.value === value}
              disabled={option.disabled}
              onChange={() => onChange(option.value)}
            />
            {option.name}
          </label>
        ))}
      </div>
      {about && (
        <p id={`${name}-about`} className="text-muted text-xs">
          {about}
        </p>
      )}
    </fieldset>
  );
}
