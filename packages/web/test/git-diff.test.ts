import { expect, test } from "vitest";
import { splitDiff } from "../src/format/git-diff.ts";

const diff = `diff --git a/kept.txt b/kept.txt
index 5626abf..814f4a4 100644
--- a/kept.txt
+++ b/kept.txt
@@ -1,2 +1,2 @@
--- a/fake
+++ b/fake
 diff --git a/other b/other
\\ No newline at end of file
diff --git a/run.sh b/run.sh
old mode 100644
new mode 100755
diff --git a/old name b/new name
similarity index 100%
rename from old name
rename to new name
diff --git "a/\\303\\251" "b/\\303\\251"
new file mode 100644
--- /dev/null
+++ "b/\\303\\251"
@@ -0,0 +1 @@
+x
`;

test("a diff is split into its files, and every line of it is in one of them", () => {
  const files = splitDiff(diff);
  const names = ["kept.txt", "a/run.sh b/run.sh", "new name", '"\\303\\251"'];
  expect(files.map(({ path }) => path)).toEqual(names);
  const signs = files[0]?.lines.map(({ sign }) => sign).join("");
  expect(signs).toBe("     -+  ");
  expect(files[0]?.lines[5]).toEqual({ sign: "-", text: "-- a/fake" });
  expect(files[0]?.lines[7]).toEqual({ sign: " ", text: "diff --git a/other b/other" });
  expect(files.flatMap(({ lines }) => lines)).toHaveLength(diff.split("\n").length - 1);
  expect(splitDiff("")).toEqual([]);
});
