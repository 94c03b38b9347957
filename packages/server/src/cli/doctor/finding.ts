/** What doctor found out about one thing. Only what is `broken` makes it fail. */
export interface Finding {
  readonly check: string;
  readonly status: "ok" | "note" | "broken";
  readonly message: string;
  /** What to do about it. */
  readonly remedy?: string;
}

export const fine = (check: string, message: string): Finding => ({ check, status: "ok", message });
export const note = (check: string, message: string, remedy?: string): Finding => ({
  check,
  status: "note",
  message,
  ...(remedy === undefined ? {} : { remedy }),
});
export const broken = (check: string, message: string, remedy: string): Finding => ({
  check,
  status: "broken",
  message,
  remedy,
});
