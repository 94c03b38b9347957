/** Hexadecimal, 128 random bits by default. `crypto.randomUUID` exists in secure contexts only; a page behind a plain proxy has none. */
export function randomId(bytes = 16): string {
  const random = crypto.getRandomValues(new Uint8Array(bytes));
  return Array.from(random, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
