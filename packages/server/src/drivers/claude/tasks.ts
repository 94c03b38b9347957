import type { AgentFact, Task } from "@drover/core";
import { isRecord, type Json, record, records, text } from "../json.ts";

/** A call of one of the task tools. */
export interface TaskCall {
  readonly toolName: string;
  readonly input: unknown;
}

type TaskNews = Omit<Extract<AgentFact, { type: "tasks" }>, "type">;

/** The agent's task list, assembled from the inputs and results of its task tools. */
export class TaskList {
  #tasks: Task[] = [];

  /** The complete list if the call writes one; undefined for any other call. */
  written({ toolName, input }: TaskCall): Task[] | undefined {
    if (toolName !== "TodoWrite") return undefined;
    this.#tasks = records(record(input)["todos"]).map((todo, index) => ({
      id: text(todo["id"]) ?? String(index + 1),
      title: text(todo["content"]) ?? "",
      status: statusOf(todo["status"]) ?? "pending",
    }));
    return this.#tasks;
  }

  /** The list after a successful call, and which task changed; undefined if nothing changed. */
  answered({ toolName, input }: TaskCall, result: unknown): TaskNews | undefined {
    const answer = record(result);
    switch (toolName) {
      case "TaskCreate":
        return isRecord(answer["task"]) ? this.#change("create", answer["task"]) : undefined;
      case "TaskUpdate":
        return this.#update(record(input));
      case "TaskList": {
        if (!Array.isArray(answer["tasks"])) return undefined;
        this.#tasks = [];
        for (const task of records(answer["tasks"])) this.#put(task);
        return { tasks: this.#tasks };
      }
      default:
        return undefined;
    }
  }

  #update(input: Json): TaskNews | undefined {
    const id = text(input["taskId"]);
    if (id === undefined) return undefined;
    if (input["status"] === "deleted") {
      this.#tasks = this.#tasks.filter((task) => task.id !== id);
      return { tasks: this.#tasks };
    }
    return this.#change("update", { ...input, id });
  }

  #change(action: "create" | "update", news: Json): TaskNews | undefined {
    const task = this.#put(news);
    return task && { tasks: this.#tasks, change: { action, task } };
  }

  /** Adds or updates a task. A task of an earlier process is known only by its number. */
  #put(news: Json): Task | undefined {
    const id = text(news["id"]);
    if (id === undefined) return undefined;
    const known = this.#tasks.find((task) => task.id === id);
    const task: Task = {
      id,
      title: text(news["subject"]) ?? known?.title ?? `Task ${id}`,
      status: statusOf(news["status"]) ?? known?.status ?? "pending",
    };
    this.#tasks = known ? this.#tasks.map((one) => (one === known ? task : one)) : [...this.#tasks, task];
    return task;
  }
}

const states: readonly Task["status"][] = ["pending", "in_progress", "completed", "cancelled"];
const statusOf = (status: unknown): Task["status"] | undefined => states.find((known) => known === status);
