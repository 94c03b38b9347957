import { join } from "node:path";
import { type AgentHome, type HomeRequest, madeUpKey, ownTemporary, writeSetting } from "./home.ts";

const once = `request_max_retries = 0
stream_max_retries = 0
`;

const settings = (
  baseUrl: string,
  tries: string,
) => `# A model that it knows; it offers fewer tools to others, and warns about them.
model = "gpt-5.5"
model_provider = "scripted"

[model_providers.scripted]
name = "scripted"
base_url = "${baseUrl}/v1"
env_key = "SCRIPTED_KEY"
wire_api = "responses"
${tries}
# Without these it tries to reach the internet at every start.
[analytics]
enabled = false

[features]
plugins = false
`;

export async function codexHome({ home, baseUrl, keepsTrying }: HomeRequest): Promise<AgentHome> {
  const codex = join(home, ".codex");
  await writeSetting(join(codex, "config.toml"), settings(baseUrl, keepsTrying ? "" : once));
  return { env: { ...(await ownTemporary(home)), CODEX_HOME: codex, SCRIPTED_KEY: madeUpKey } };
}
