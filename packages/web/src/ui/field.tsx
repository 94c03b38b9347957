import { type ReactNode, useId } from "react";
import type { Problem } from "../transport/wire.ts";
import { ProblemText } from "./problem.tsx";

/** Attributes that tie a control to its label, help and error. */
export interface ControlProps {
  readonly id: string;
  readonly "aria-describedby": string | undefined;
  readonly "aria-invalid": true | undefined;
}

interface FieldProps {
  readonly label: ReactNode;
  /** Hides the label visually; screen readers still read it. */
  readonly hideLabel?: boolean;
  readonly help?: ReactNode;
  /** Why the value was refused. */
  readonly problem?: Problem | undefined;
  readonly className?: string;
  readonly children: (control: ControlProps) => ReactNode;
}

/** A form control with its label, help and error. */
export function Field({ label, hideLabel = false, help, problem, className = "", children }: FieldProps) {
  const id = useId();
  const helpId = help ? `${id}-help` : undefined;
  const problemId = problem ? `${id}-problem` : undefined;
  const describedBy = [problemId, helpId].filter((part) => part !== undefined).join(" ");
  return (
    <div className={`grid min-w-0 content-start gap-1.5 ${className}`}>
      <label htmlFor={id} className={hideLabel ? "sr-only" : "w-fit font-medium"}>
        {label}
      </label>
      {children({
        id,
        "aria-describedby": describedBy === "" ? undefined : describedBy,
        "aria-invalid": problem ? true : undefined,
      })}
      {help && (
        <p id={helpId} className="text-muted text-xs">
          {help}
        </p>
      )}
      <ProblemText id={problemId} problem={problem} />
    </div>
  );
}
