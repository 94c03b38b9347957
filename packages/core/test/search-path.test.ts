import { searchPath } from "@drover/core";
import { expect, test } from "vitest";

test.for([
  ["/usr/bin:/bin", "/usr/bin:/bin"],
  [":/usr/bin", "/usr/bin"],
  ["/usr/bin:", "/usr/bin"],
  ["/a::/b", "/a:/b"],
  [".:bin:./x:../y:~/bin:/usr/bin:node_modules/.bin", "/usr/bin"],
  ["", "/usr/bin:/bin"],
  [":", "/usr/bin:/bin"],
  [".", "/usr/bin:/bin"],
  [undefined, "/usr/bin:/bin"],
])("with the PATH %j, programs are searched for in %j", ([path, expected]) => {
  expect(searchPath(path)).toBe(expected);
});
