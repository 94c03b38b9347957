import { describe } from "vitest";
import { hostileSuite, part } from "./hostile.ts";

describe.runIf(process.getuid?.() === 0)("read as root,", () => hostileSuite(0, part(2, 3)));
