import { configReportSchema, doctorReportSchema, ok } from "@drover/core";
import { operation } from "../operation.ts";

export const serverOperations = [
  operation({
    name: "server.config",
    summary: "Every setting of this server, and where its value comes from",
    admission: "anyone",
    output: configReportSchema,
    idempotent: true,
    http: { method: "GET", path: "/api/config" },
    run: async ({ server }) => ok(server.config()),
  }),
  operation({
    name: "server.doctor",
    summary: "Whether everything Drover needs here is in order, and what to do where it is not",
    admission: "anyone",
    output: doctorReportSchema,
    idempotent: true,
    http: { method: "GET", path: "/api/doctor" },
    run: async ({ server }) => ok(await server.doctor()),
  }),
];
