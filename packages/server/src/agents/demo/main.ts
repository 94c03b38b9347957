import { runDemoAgent } from "./index.ts";

await runDemoAgent();
