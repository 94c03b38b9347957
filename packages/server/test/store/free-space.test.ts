import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { tempDir } from "../../../../test/kit/temp.ts";
import { FreeSpace } from "../../src/store/free-space.ts";

test("a shortage of disk space and its end are reported; a disk that cannot be checked reports nothing", async () => {
  await using dir = await tempDir();
  const directory = join(dir.path, "home");
  const reports: boolean[] = [];
  using scarce = new FreeSpace({ directory, minFree: Number.MAX_VALUE, onChange: (is) => reports.push(is) });
  await scarce.look();
  expect({ reports, isFull: scarce.isFull }).toEqual({ reports: [], isFull: false });
  await mkdir(directory);
  await scarce.look();
  expect({ reports, isFull: scarce.isFull }).toEqual({ reports: [true], isFull: true });
  using ample = new FreeSpace({ directory, minFree: 0, onChange: (is) => reports.push(is) });
  const available = ample.available();
  await ample.look();
  await available;
  expect(reports).toEqual([true]);
});
