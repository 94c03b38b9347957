import type { ComponentProps } from "react";

const looks = {
  primary: "bg-ink text-inverse enabled:hover:opacity-85",
  plain: "border border-line-strong bg-canvas enabled:hover:bg-hover",
  quiet: "text-muted enabled:hover:bg-hover enabled:hover:text-ink",
  danger: "border border-line-strong bg-canvas text-bad enabled:hover:bg-hover",
} as const;

interface ButtonProps extends ComponentProps<"button"> {
  readonly look?: keyof typeof looks;
}

export function Button({ look = "plain", className = "", ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      className={`inline-flex h-7 shrink-0 items-center justify-center gap-1.5 whitespace-nowrap rounded-md px-2.5 font-medium text-sm transition-[background] duration-100 disabled:opacity-45 max-md:px-3 ${looks[look]} ${className}`}
      {...rest}
    />
  );
}

/** A button that looks like a link, for actions that show more. */
export function TextButton({ className = "", ...rest }: ComponentProps<"button">) {
  return <button type="button" className={`text-left text-accent hover:underline ${className}`} {...rest} />;
}

interface IconButtonProps extends ComponentProps<"button"> {
  /** What the button does; screen readers read it. */
  readonly label: string;
}

export function IconButton({ label, className = "", ...rest }: IconButtonProps) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      className={`inline-flex size-7 shrink-0 items-center justify-center rounded-md text-muted hover:bg-hover hover:text-ink max-md:size-10 ${className}`}
      {...rest}
    />
  );
}
