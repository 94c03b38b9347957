import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import type { Desk } from "../../src/cli/ask/desk.ts";
import type { Cli } from "../../src/cli/cli.ts";
import type { SnapshotFrame } from "../../src/cli/session/frames.ts";
import { SessionView } from "../../src/cli/session/session-view.ts";
import { Writer } from "../../src/cli/terminal/writer.ts";
import { Screen } from "../../src/cli/view/screen.ts";
import { aSession, runningTurn, turnId } from "./fixtures.ts";

/** Records the status instead of drawing it. */
class RecordingScreen extends Screen {
  lastStatus = "";

  override busy(status: string): void {
    this.lastStatus = status;
  }
}

const tool = {
  ...{ toolCallId: "call-1", toolName: "run", title: "Run", input: {}, startedAt: "" },
  kind: "execute",
  status: "complete",
} as const;
const item = { id: "itm_1", turnId, kind: "tool", status: "complete", at: "", seq: 1, tool } as const;

function statusOnArrival(session: SnapshotFrame["session"]): string {
  const writer = new Writer(new PassThrough(), { colour: false });
  using screen = new RecordingScreen({ stdout: writer, stderr: writer } as Cli);
  const view = new SessionView({ screen, desk: {} as Desk, hint: undefined, onTurnEnd: () => undefined });
  const queue = { paused: false, messages: [] };
  view.snapshot({ type: "snapshot", seq: 1, session, items: [item], interactions: [], queue });
  return screen.lastStatus;
}

test("an idle session is shown as idle, even if its last item is a tool call", () => {
  expect(statusOnArrival(aSession())).toBe("");
  expect(statusOnArrival(aSession({ state: "running", turn: runningTurn }))).toBe("working");
});
