import { configReportSchema, doctorReportSchema, ok } from "@drover/core";
import { operation } from "../operation.ts";

export const serverOperations = [
  operation({
    name: "server.config",
    summary: "All settings of this server, and where each value comes from",
    admission: "anyone",
    output: configReportSchema,
    idempotent: true,
    http: { method: "GET", path: "/api/config" },
    run: async ({ server }) => ok(server.config()),
  }),
  operation({
    name: "server.doctor",
    summary: "Check the setup and suggest fixes",
    admission: "anyone",
    output: doctorReportSchema,
    idempotent: true,
    http: { method: "GET", path: "/api/doctor" },
    run: async ({ server }) => ok(await server.doctor()),
  }),
];
