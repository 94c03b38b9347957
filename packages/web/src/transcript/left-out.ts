/**
 * Takes the place of what streamdown imports and this page never calls: a fifth of its script. The plugins are for raw
 * HTML, which is text here; the merger is for classes of streamdown's own look, of which there is none.
 */
export default function leftOut(): never {
  throw new Error("This part of streamdown is left out of the page; see vite.config.ts.");
}

export { leftOut as harden };
export const defaultSchema = {};
export const twMerge = (classes: string): string => classes;
