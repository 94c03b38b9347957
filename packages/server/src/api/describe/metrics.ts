import type { ApiContext } from "../context.ts";

interface Metric {
  readonly name: string;
  readonly type: "gauge" | "counter";
  readonly help: string;
  /** By label, in Prometheus notation; the empty key has no label. */
  readonly values: Readonly<Record<string, number>>;
}

/** Figures for monitoring, in Prometheus' text format. None of them requires the store. */
export function metricsText({ deps, streams, uptime }: ApiContext): string {
  const statistics = deps.statistics?.();
  const byState = Object.entries(statistics?.sessions ?? {}).map(([state, n]) => [`{state="${state}"}`, n]);
  const metrics: Metric[] = [
    {
      name: "drover_uptime_seconds",
      type: "gauge",
      help: "Seconds since the server started",
      values: { "": uptime() / 1000 },
    },
    {
      name: "drover_resident_memory_bytes",
      type: "gauge",
      help: "Memory of the server's process",
      values: { "": process.memoryUsage.rss() },
    },
    {
      name: "drover_open_streams",
      type: "gauge",
      help: "Connected clients that follow events",
      values: { '{kind="sse"}': streams.count("sse"), '{kind="websocket"}': streams.count("websocket") },
    },
    {
      name: "drover_sent_events_total",
      type: "counter",
      help: "Events sent to followers",
      values: { "": streams.events },
    },
    {
      name: "drover_sent_bytes_total",
      type: "counter",
      help: "Bytes sent to followers",
      values: { "": streams.bytes },
    },
    {
      name: "drover_sessions",
      type: "gauge",
      help: "Sessions by state",
      values: Object.fromEntries(byState),
    },
    {
      name: "drover_appended_events_total",
      type: "counter",
      help: "Events stored since the server started",
      values: statistics ? { "": statistics.appendedEvents } : {},
    },
  ];
  return metrics.map(metricText).join("");
}

function metricText({ name, type, help, values }: Metric): string {
  const lines = Object.entries(values).map(([label, value]) => `${name}${label} ${value}\n`);
  return lines.length === 0 ? "" : `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join("")}`;
}
