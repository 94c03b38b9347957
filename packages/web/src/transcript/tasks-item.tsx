import type { Task } from "@drover/core";
import { plainText } from "../format/terminal.ts";
import { CheckIcon, CrossIcon } from "../ui/icons.tsx";
import type { ItemEntry } from "./entries.ts";

const labels: Readonly<Record<Task["status"], string>> = {
  pending: "to do",
  in_progress: "in progress",
  completed: "done",
  cancelled: "cancelled",
};

const looks: Readonly<Record<Task["status"], string>> = {
  pending: "text-muted",
  in_progress: "font-medium",
  completed: "text-muted",
  cancelled: "text-faint line-through",
};

export function TasksItem({ entry: { item } }: { entry: ItemEntry }) {
  const tasks = item.tasks ?? [];
  const done = tasks.filter(({ status }) => status === "completed").length;
  return (
    <section aria-label="Tasks" className="rounded-md border border-line px-3 py-2">
      <header className="flex items-baseline justify-between">
        <h2 className="font-medium text-xs">Tasks</h2>
        <span className="text-2xs text-faint tabular-nums">
          {done} of {tasks.length}
        </span>
      </header>
      <ul className="mt-1">
        {tasks.map((task) => (
          <li key={task.id} className={`flex items-start gap-2 py-0.5 ${looks[task.status]}`}>
            <TaskMark status={task.status} />
            <span className="sr-only">{labels[task.status]}:</span>
            <span className="min-w-0 break-words">{plainText(task.title)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function TaskMark({ status }: { status: Task["status"] }) {
  if (status === "completed") {
    return (
      <span className="mt-0.5 text-good">
        <CheckIcon size={15} />
      </span>
    );
  }
  if (status === "cancelled") {
    return (
      <span className="mt-0.5">
        <CrossIcon size={15} />
      </span>
    );
  }
  const look = status === "in_progress" ? "border-accent bg-accent/25 animate-breathe" : "border-line-strong";
  return (
    <span
      aria-hidden="true"
      className={`m-[3px] mt-[5px] size-[9px] shrink-0 rounded-full border-[1.5px] ${look}`}
    />
  );
}
