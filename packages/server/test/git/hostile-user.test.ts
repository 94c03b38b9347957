import { describe } from "vitest";
// A soak runs this file, too: it has more cases then.
import "../../../../test/kit/soak.ts";
import { forUser, hostileSuite } from "./hostile.ts";
import { ordinaryUser } from "./stage.ts";

describe("read as an ordinary user,", () => {
  // When the tests run as root, hostile-root has the other cases.
  const isRoot = process.getuid?.() === 0;
  hostileSuite(ordinaryUser, isRoot ? forUser : undefined);
});
