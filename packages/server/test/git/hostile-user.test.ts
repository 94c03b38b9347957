import { describe } from "vitest";
import { someOf } from "../../../../test/kit/soak.ts";
import { hostileSuite } from "./hostile.ts";

const NOBODY = 65_534;

describe("read as an ordinary user,", () => {
  const user = process.getuid?.();
  // When the tests run as root, hostile-root covers all cases.
  if (user) hostileSuite(user);
  else hostileSuite(NOBODY, someOf);
});
