/** Hexadecimal, 128 random bits by default. `crypto.randomUUID` requires a secure context, which a page behind a plain HTTP proxy does not have. */
export function randomId(bytes = 16): string {
  const random = crypto.getRandomValues(new Uint8Array(bytes));
  return Array.from(random, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
