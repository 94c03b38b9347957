import { describe } from "vitest";
// A soak runs this file, too: it has more cases then.
import "../../../../test/kit/soak.ts";
import { forUser, hostileSuite } from "./hostile.ts";

const NOBODY = 65_534;

describe("read as an ordinary user,", () => {
  const user = process.getuid?.();
  // When the tests run as root, hostile-root has the other cases.
  if (user) hostileSuite(user);
  else hostileSuite(NOBODY, forUser);
});
