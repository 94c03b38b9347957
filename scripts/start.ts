// `npm start`: `drover serve` in the foreground, in this process, with the page built first if necessary.
import { join } from "node:path";
import { buildWeb } from "./build-web.ts";
import { root } from "./root.ts";

try {
  await buildWeb();
} catch (error) {
  console.error(`The page could not be built, so the server starts without it: ${(error as Error).message}`);
}
// The command line reads process.argv when it is imported, just like `drover`.
process.argv = [
  process.execPath,
  join(root, "packages", "server", "bin", "drover.js"),
  "serve",
  ...process.argv.slice(2),
];
await import("../packages/server/src/main.ts");
