import { Field } from "../ui/field.tsx";
import { Select } from "../ui/select.tsx";

const maxTries = 8;

interface TriesFieldProps {
  readonly value: number;
  readonly onChange: (tries: number) => void;
  readonly disabled: boolean;
}

/** How many workers try the same task. */
export function TriesField({ value, onChange, disabled }: TriesFieldProps) {
  const help = value > 1 ? "Each has its own branch. Compare them, and keep the best." : undefined;
  return (
    <Field label="Tries" help={help}>
      {(control) => (
        <Select
          {...control}
          disabled={disabled}
          value={value}
          onChange={(event) => onChange(Number(event.target.value))}
        >
          {Array.from({ length: maxTries }, (_, at) => at + 1).map((tries) => (
            <option key={tries} value={tries}>
              {tries === 1 ? "1 worker" : `${tries} workers, one task`}
            </option>
          ))}
        </Select>
      )}
    </Field>
  );
}
