/**
 * Replaces modules that streamdown imports and this page never calls, a fifth of its script. The plugins handle raw
 * HTML, which is shown as text here; the merger handles streamdown's own classes, which are not used.
 */
export default function leftOut(): never {
  throw new Error("This part of streamdown is left out of the page; see vite.config.ts.");
}

export { leftOut as harden };
export const defaultSchema = {};
export const twMerge = (classes: string): string => classes;
