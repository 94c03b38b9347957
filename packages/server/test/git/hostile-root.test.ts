import { describe } from "vitest";
// A soak runs this file, too: it has more cases then.
import "../../../../test/kit/soak.ts";
import { forRoot, hostileSuite } from "./hostile.ts";

describe.runIf(process.getuid?.() === 0)("read as root,", () => hostileSuite(0, forRoot));
