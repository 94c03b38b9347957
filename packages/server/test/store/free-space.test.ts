import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { tempDir } from "../../../../test/kit/temp.ts";
import { FreeSpace } from "../../src/store/free-space.ts";

test("room is told when it gets scarce and when there is some again; a disk that cannot be looked at tells nothing", async () => {
  await using dir = await tempDir();
  const directory = join(dir.path, "home");
  const told: boolean[] = [];
  using scarce = new FreeSpace({ directory, minFree: Number.MAX_VALUE, onChange: (is) => told.push(is) });
  await scarce.look();
  expect({ told, isFull: scarce.isFull }).toEqual({ told: [], isFull: false });
  await mkdir(directory);
  await scarce.look();
  expect({ told, isFull: scarce.isFull }).toEqual({ told: [true], isFull: true });
  using ample = new FreeSpace({ directory, minFree: 0, onChange: (is) => told.push(is) });
  const available = ample.available();
  await ample.look();
  await available;
  expect(told).toEqual([true]);
});
