// Writes, between valid lines: text that is not JSON, invalid UTF-8, NUL, JSON that is not a message, a message cut in two.
import { serve, write } from "./kit.mjs";

const RUBBISH = [
  "Warning: this is not JSON\n",
  Buffer.from([0xff, 0xfe, 0xc3, 0x28, 0xf0, 0x9f, 0x0a]),
  Buffer.from([0x00, 0x41, 0x00, 0x0a]),
  "\n",
  "42\n",
  "null\n",
  "[]\n",
  '{"jsonrpc":"2.0","method":"session/upd\n',
  '{"neither":"request nor answer"}\n',
  '{"jsonrpc":"2.0","id":"nobody asked","result":{}}\n',
];

serve({
  prompt({ say }) {
    RUBBISH.forEach((line, n) => {
      say(`good ${n} `);
      write(line);
    });
    say("the end");
    return "end_turn";
  },
});
