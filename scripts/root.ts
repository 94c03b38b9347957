import { dirname, join } from "node:path";

/** The root of the checkout. */
export const root = dirname(import.meta.dirname);

/** The package that tests start servers from; the test run builds it. */
export const testedPackage = join(root, ".cache", "drover");
