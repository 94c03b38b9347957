import { describe } from "vitest";
import { hostileSuite } from "./hostile.ts";

const NOBODY = 65_534;

describe("read as an ordinary user,", () => hostileSuite(process.getuid?.() || NOBODY));
