import { bounds, directoryMatchesSchema, directoryWorkspaceSchema, fileMatchesSchema } from "@drover/core";
import { z } from "zod";
import { operation } from "../operation.ts";
import { countText } from "./fields.ts";

const typed = z.string().max(bounds.path);
const limit = z.number().int().min(1).max(1000);

const matchInput = z.strictObject({ query: typed.default(""), limit: limit.default(50) });
const matchQuery = z.object({ query: typed.default(""), limit: countText(50) });
const cwd = z.string().min(1).max(bounds.path);

/** Names that complete what a person types. */
export const pathOperations = [
  operation({
    name: "sessions.files",
    summary: "Files where a session works that match a few letters, best first",
    admission: "anyone",
    input: matchInput,
    output: fileMatchesSchema,
    idempotent: true,
    http: { method: "GET", path: "/api/sessions/:id/files", query: matchQuery },
    run: ({ sessions }, { sessionId, ...query }) => sessions.files(sessionId, query),
  }),
  operation({
    name: "paths.files",
    summary: "Files below a directory that match a few letters, best first",
    admission: "anyone",
    input: matchInput.extend({ cwd }),
    output: fileMatchesSchema,
    idempotent: true,
    http: { method: "GET", path: "/api/files", query: matchQuery.extend({ cwd }) },
    run: ({ paths }, { cwd: directory, ...query }) => paths.files(directory, query),
  }),
  operation({
    name: "paths.directories",
    summary: "Directories that match the start of a path, inside the allowed roots",
    admission: "anyone",
    input: matchInput,
    output: directoryMatchesSchema,
    idempotent: true,
    http: { method: "GET", path: "/api/directories", query: matchQuery },
    run: ({ paths }, query) => paths.directories(query),
  }),
  operation({
    name: "paths.workspace",
    summary: "The repository of a directory, and the workspace that a session in it gets by default",
    admission: "anyone",
    input: z.strictObject({ cwd }),
    output: directoryWorkspaceSchema,
    idempotent: true,
    http: { method: "GET", path: "/api/directories/workspace" },
    run: ({ paths }, { cwd: directory }) => paths.workspace(directory),
  }),
];
