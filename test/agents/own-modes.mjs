// Opens its conversations in a mode in which it acts without asking. `--stuck`: it has no other mode.
import { args, serve } from "./kit.mjs";

const modes = [
  { id: "auto-accept", name: "Auto-accept" },
  ...(args.stuck ? [] : [{ id: "normal", name: "Normal" }]),
];
let current = "auto-accept";
const opened = () => ({ modes: { currentModeId: current, availableModes: modes } });

serve({
  "session/new": () => ({ sessionId: `kit-${process.pid}`, ...opened() }),
  "session/load": opened,
  "session/set_mode": ({ modeId }) => {
    current = modeId;
    return {};
  },
  prompt({ say }) {
    say(`I work in ${current}.`);
    return "end_turn";
  },
});
