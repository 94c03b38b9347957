import { dirname, join } from "node:path";

/** The checkout's own directory. */
export const root = dirname(import.meta.dirname);

/** The package that tests start servers from; who runs the tests builds it. */
export const testedPackage = join(root, ".cache", "drover");
