import type { Scenario } from "../scenario.ts";
import { b1 } from "./b1-burst.ts";
import { b2 } from "./b2-latency.ts";
import { b3 } from "./b3-sessions.ts";
import { b4 } from "./b4-fan-out.ts";
import { b5 } from "./b5-replay.ts";
import { b6 } from "./b6-stalled.ts";
import { b7 } from "./b7-drops.ts";
import { b8 } from "./b8-kills.ts";
import { b9 } from "./b9-cold-start.ts";
import { b11 } from "./b11-stored.ts";
import { b12Diff } from "./b12-diff.ts";
import { b12 } from "./b12-page.ts";
import { b13 } from "./b13-worktrees.ts";
import { b14 } from "./b14-checkpoints.ts";
import { b15 } from "./b15-hostile.ts";
import { b16 } from "./b16-review.ts";
import { b17 } from "./b17-board.ts";
import { floor } from "./floor.ts";
import { self } from "./self.ts";

export const scenarios: readonly Scenario[] = [
  self,
  floor,
  b1,
  b2,
  b3,
  b4,
  b5,
  b6,
  b7,
  b8,
  b9,
  b11,
  b12,
  b12Diff,
  b13,
  b14,
  b15,
  b16,
  b17,
];
