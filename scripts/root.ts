import { dirname } from "node:path";

/** The checkout's own directory. */
export const root = dirname(import.meta.dirname);
