import { describe } from "vitest";
import { hostileSuite } from "./hostile.ts";

describe.runIf(process.getuid?.() === 0)("read as root,", () => hostileSuite(0));
