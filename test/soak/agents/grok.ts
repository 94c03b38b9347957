// Grok Build. Its program is compressed, and its wrapper unpacks it on first start.
import { join } from "node:path";
import { madeUpKey, writeSetting } from "../../conformance/homes/home.ts";
import type { SoakAgent } from "./agent.ts";

export const grok: SoakAgent = {
  name: "grok",
  afterDenial: "cancelled",
  program: (installed) => join(installed, "grok"),
  home: async ({ home, baseUrl }) => {
    await writeSetting(join(home, ".grok", "config.toml"), settings(baseUrl));
    return { env: {} };
  },
};

const settings = (baseUrl: string) => `[cli]
auto_update = false

# As documented in docs/agents.md: without it some commands run without asking.
[permission]
rules = [{ action = "ask", tool = "bash" }, { action = "ask", tool = "edit" }]

[models]
default = "scripted"

[model.scripted]
model = "scripted"
base_url = "${baseUrl}/v1"
api_key = "${madeUpKey}"
api_backend = "messages"
`;
