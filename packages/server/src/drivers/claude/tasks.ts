import type { Task } from "@drover/core";
import { isRecord, type Json, record, records, text } from "../json.ts";

/** A call of one of the task tools. */
export interface TaskCall {
  readonly toolName: string;
  readonly input: unknown;
}

/** The agent's list of tasks, put together from what its tools were asked for and what they answered. */
export class TaskList {
  #tasks: Task[] = [];

  /** The list as a call writes it whole; undefined for any other call. */
  written({ toolName, input }: TaskCall): Task[] | undefined {
    if (toolName !== "TodoWrite") return undefined;
    this.#tasks = records(record(input)["todos"]).map((todo, index) => ({
      id: text(todo["id"]) ?? String(index + 1),
      title: text(todo["content"]) ?? "",
      status: statusOf(todo["status"]) ?? "pending",
    }));
    return this.#tasks;
  }

  /** The list after a call that succeeded; undefined when it changed nothing. */
  answered({ toolName, input }: TaskCall, result: unknown): Task[] | undefined {
    const answer = record(result);
    switch (toolName) {
      case "TaskCreate":
        return isRecord(answer["task"]) ? this.#put(answer["task"]) : undefined;
      case "TaskUpdate":
        return this.#update(record(input));
      case "TaskList": {
        if (!Array.isArray(answer["tasks"])) return undefined;
        this.#tasks = [];
        for (const task of records(answer["tasks"])) this.#put(task);
        return this.#tasks;
      }
      default:
        return undefined;
    }
  }

  #update(input: Json): Task[] | undefined {
    const id = text(input["taskId"]);
    if (id === undefined) return undefined;
    if (input["status"] === "deleted") {
      this.#tasks = this.#tasks.filter((task) => task.id !== id);
      return this.#tasks;
    }
    return this.#put({ ...input, id });
  }

  /** Adds a task or changes what is told of one. A task of an earlier process is known by its number alone. */
  #put(news: Json): Task[] | undefined {
    const id = text(news["id"]);
    if (id === undefined) return undefined;
    const known = this.#tasks.find((task) => task.id === id);
    const task: Task = {
      id,
      title: text(news["subject"]) ?? known?.title ?? `Task ${id}`,
      status: statusOf(news["status"]) ?? known?.status ?? "pending",
    };
    this.#tasks = known ? this.#tasks.map((one) => (one === known ? task : one)) : [...this.#tasks, task];
    return this.#tasks;
  }
}

const states: readonly Task["status"][] = ["pending", "in_progress", "completed", "cancelled"];
const statusOf = (status: unknown): Task["status"] | undefined => states.find((known) => known === status);
