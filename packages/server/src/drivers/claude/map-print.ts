import type { AgentFact, Preset } from "@drover/core";
import { resumeUnknown } from "../http-fault.ts";
import type { Json } from "../json.ts";
import type { LineMapper } from "../line-mapper.ts";
import { type Ending, failed } from "../output.ts";
import { mapSdkMessage } from "./map.ts";
import { MapState } from "./map-state.ts";

/** There is one turn at a time, and its prompt has no id. */
const TURN = { id: "", uuid: "" };

/**
 * `claude -p --output-format stream-json` prints the messages the SDK receives, and so do programs that copy its
 * format.
 */
export class ClaudePrintMapper implements LineMapper {
  ending: Ending | undefined;
  readonly #state: MapState;

  constructor({ name }: Preset) {
    this.#state = new MapState({ name });
    this.beginTurn();
  }

  get unknown(): ReadonlyMap<string, number> {
    return this.#state.unknown;
  }

  map(message: Json, now: number): AgentFact[] {
    return mapSdkMessage(message, this.#state, now).filter((fact) => {
      if (fact.type !== "turn_end") return true;
      const { type: _type, turnId: _turnId, ...ending } = fact;
      // Unlike with the SDK, the new conversation gets the last messages of this one.
      this.ending =
        ending.fault?.code === "RESUME_UNKNOWN" ? failed(resumeUnknown(this.#state.name)) : ending;
      return false;
    });
  }

  beginTurn(): void {
    this.ending = undefined;
    this.#state.beginTurn(TURN);
  }
}
