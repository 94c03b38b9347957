import { z } from "zod";

/** What doctor found out about one thing. Only what is `broken` makes it fail. */
export const findingSchema = z.object({
  check: z.string(),
  status: z.enum(["ok", "note", "broken"]),
  message: z.string(),
  /** What to do about it; commands stand between backticks. */
  remedy: z.string().optional(),
});
export type Finding = z.infer<typeof findingSchema>;

export const doctorReportSchema = z.object({ ok: z.boolean(), findings: z.array(findingSchema) });
export type DoctorReport = z.infer<typeof doctorReportSchema>;

export const settingReportSchema = z.object({
  value: z.unknown(),
  /** Who set it, and exactly where: `drover.yaml:3`, `DROVER_PORT`, `--port`, `default`. */
  from: z.enum(["default", "file", "environment", "command line"]),
  source: z.string(),
  /** What it would be if nobody had set it. */
  fallback: z.unknown(),
  unit: z.enum(["ms", "bytes"]).optional(),
});
export type SettingReport = z.infer<typeof settingReportSchema>;

/** What is configured, and where each value comes from. Agents' variables are told by name only. */
export const configReportSchema = z.object({
  home: z.string(),
  file: z.string(),
  /** What is wrong with the file as it is now: what was read before holds. */
  problems: z.array(z.string()).readonly().optional(),
  /** Settings that were changed in the file and take effect when the server starts again. */
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
