// Grok Build. Its program comes compressed, and its own wrapper unpacks it at the first start.
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

# As docs/agents.md tells people to: without it some commands run unasked.
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
