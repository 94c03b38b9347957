import { bounds, createSessionSchema, ok, reject } from "@drover/core";
import { z } from "zod";
import type { Answer, Service } from "../../service.ts";
import { socketFace } from "../operation.ts";
import { idField } from "./fields.ts";
import { projectById } from "./projects.ts";

const messageInput = () =>
  createSessionSchema.extend({
    agent: idField.min(1).optional(),
    cliType: idField.min(1).optional(),
    cwd: z.string().min(1).max(bounds.path).optional(),
    projectId: idField.optional(),
  });

type MessageInput = z.infer<ReturnType<typeof messageInput>>;

/** `session:create` uses different names for the agent and the directory than HTTP does. */
export const createByMessage = socketFace({
  type: "session:create",
  summary: "Create a session",
  reply: "session:created",
  get input() {
    return messageInput();
  },
  frame: (session) => ({ session }),
  run: async (service, input: MessageInput, caller) => {
    const { agent, cliType, cwd, projectId, ...options } = input;
    const named = agent ?? cliType;
    if (!named) return missingField("agent", "Name an agent: agent or cliType");
    const directory = await directoryOf(service, { cwd, projectId });
    if (!directory.ok) return directory;
    return service.sessions.create({ ...options, agent: named, cwd: directory.value }, caller);
  },
});

async function directoryOf(
  service: Service,
  { cwd, projectId }: Pick<MessageInput, "cwd" | "projectId">,
): Answer<string> {
  const project = projectId === undefined ? undefined : await projectById(service, projectId);
  if (project && !project.ok) return project;
  const directory = cwd ?? project?.value.path;
  return directory ? ok(directory) : missingField("cwd", "Name a directory: cwd or projectId");
}

export const missingField = (path: string, message: string) =>
  reject("BAD_REQUEST", message, { issues: [{ path, message }] });
