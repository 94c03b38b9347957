import { z } from "zod";

/** What doctor found about one thing. Only `broken` makes it fail. */
export const findingSchema = z.object({
  check: z.string(),
  status: z.enum(["ok", "note", "broken"]),
  message: z.string(),
  /** What to do about it; commands are between backticks. */
  remedy: z.string().optional(),
});
export type Finding = z.infer<typeof findingSchema>;

export const doctorReportSchema = z.object({ ok: z.boolean(), findings: z.array(findingSchema) });
export type DoctorReport = z.infer<typeof doctorReportSchema>;

export const settingReportSchema = z.object({
  value: z.unknown(),
  /** Where it was set: `drover.yaml:3`, `DROVER_PORT`, `--port`, `default`. */
  from: z.enum(["default", "file", "environment", "command line"]),
  source: z.string(),
  /** The value if it had not been set. */
  fallback: z.unknown(),
  unit: z.enum(["ms", "bytes"]).optional(),
});
export type SettingReport = z.infer<typeof settingReportSchema>;

/** The configuration, and where each value comes from. Agents' variables are listed by name only. */
export const configReportSchema = z.object({
  home: z.string(),
  file: z.string(),
  /** What is wrong with the file now: the previous configuration applies. */
  problems: z.array(z.string()).readonly().optional(),
  /** Settings that were changed in the file and take effect after a restart. */
  restart: z.array(z.string()).readonly().optional(),
  settings: z.record(z.string(), settingReportSchema),
  agents: z.array(
    z.looseObject({
      agent: z.string(),
      name: z.string(),
      driver: z.string(),
      command: z.string(),
      env: z.array(z.string()),
    }),
  ),
});
export type ConfigReport = z.infer<typeof configReportSchema>;
