// `npm run build`: the published package, in dist/drover.
import { join } from "node:path";
import { buildPackage } from "./build-package.ts";
import { root } from "./root.ts";

const target = join(root, "dist", "drover");
await buildPackage(target);
console.log(`built ${target}`);
