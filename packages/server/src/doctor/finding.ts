import type { Finding } from "@drover/core";

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
