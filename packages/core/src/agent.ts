import { z } from "zod";

export const driverNames = ["acp", "claude", "jsonl", "text"] as const;
export type DriverName = (typeof driverNames)[number];

export const permissionModes = ["ask", "plan", "acceptEdits", "never"] as const;
export type PermissionMode = (typeof permissionModes)[number];

/** What an agent can do through its driver. Code asks these, never an agent's name. */
export const capabilitiesSchema = z.object({
  approvals: z.enum(["live", "gate", "none"]),
  amend: z.boolean(),
  denyReason: z.boolean(),
  steer: z.boolean(),
  resume: z.boolean(),
  fork: z.boolean(),
  freshContext: z.boolean(),
  reattach: z.boolean(),
  completion: z.enum(["event", "exit"]),
});
export type Capabilities = z.infer<typeof capabilitiesSchema>;

/** An agent described by data. `drover.yaml` adds and overrides these under `agents.NAME`. */
export interface Preset {
  readonly agent: string;
  readonly name: string;
  readonly driver: DriverName;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly passEnv: readonly string[];
  readonly system?: string;
  readonly instructionFile?: string;
  /** What `drover agents add` installs, at the version it was verified with. */
  readonly package?: { readonly name: string; readonly version: string };
}

export const mcpServerSchema = z.union([
  z.strictObject({
    command: z.string().min(1),
    args: z.array(z.string()).optional(),
    env: z.record(z.string(), z.string()).optional(),
  }),
  z.strictObject({ url: z.url(), headers: z.record(z.string(), z.string()).optional() }),
]);
export type McpServer = z.infer<typeof mcpServerSchema>;
