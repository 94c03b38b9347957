// Asks for permission and exits `--after` milliseconds later (default 100), with the request still open.
import { args, serve } from "./kit.mjs";

serve({
  async prompt({ ask }) {
    setTimeout(() => process.exit(3), Number(args.after ?? 100));
    await ask("session/request_permission", {
      toolCall: {
        toolCallId: "call-1",
        title: "Never mind",
        kind: "execute",
        status: "pending",
        rawInput: { command: "true" },
      },
      options: [
        { optionId: "yes", name: "Yes", kind: "allow_once" },
        { optionId: "no", name: "No", kind: "reject_once" },
      ],
    });
  },
});
