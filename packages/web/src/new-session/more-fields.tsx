import type { AgentInfo } from "@drover/core";
import { useId } from "react";
import { ago, useNow } from "../format/time.ts";
import { useAnswer } from "../state/use-resource.ts";
import { Field } from "../ui/field.tsx";
import { ChevronIcon } from "../ui/icons.tsx";
import { Select } from "../ui/select.tsx";

/** An earlier conversation of the agent, in Drover or outside. */
interface Conversation {
  readonly agentSessionId: string;
  readonly title: string;
  readonly cwd: string;
  readonly updatedAt: string;
  /** The session that already continues it. */
  readonly sessionId?: string;
}

export interface More {
  readonly model: string;
  /** The conversation to continue; empty for a new one. */
  readonly agentSessionId: string;
}

interface MoreFieldsProps {
  /** Fields the agent does not support are hidden. */
  readonly about: AgentInfo | undefined;
  readonly cwd: string;
  readonly value: More;
  readonly open: boolean;
  readonly onOpen: (open: boolean) => void;
  readonly onChange: (more: More) => void;
}

/** Less common options. */
export function MoreFields({ about, cwd, value, open, onOpen, onChange }: MoreFieldsProps) {
  const id = useId();
  const lacks = about?.lacks ?? [];
  const takesModel = !lacks.includes("model");
  const listsConversations = !lacks.includes("conversations");
  if (!takesModel && !listsConversations) return null;
  return (
    <details className="group/more" open={open} onToggle={(event) => onOpen(event.currentTarget.open)}>
      <summary className="flex w-fit list-none items-center gap-1 text-muted text-xs hover:text-ink">
        <span className="transition-transform group-open/more:rotate-90">
          <ChevronIcon size={12} />
        </span>
        {titleOf({ takesModel, listsConversations })}
      </summary>
      <div className="mt-3 grid gap-4">
        {takesModel && (
          <>
            <Field label="Model">
              {(control) => (
                <input
                  {...control}
                  className="field"
                  spellCheck={false}
                  placeholder="Agent's default"
                  list={`${id}-models`}
                  value={value.model}
                  onChange={(event) => onChange({ ...value, model: event.target.value })}
                />
              )}
            </Field>
            <datalist id={`${id}-models`}>
              {about?.models?.map((offer) => (
                <option key={offer.id} value={offer.id}>
                  {offer.name}
                </option>
              ))}
            </datalist>
          </>
        )}
        {open && about && listsConversations && (
          <ConversationField
            path={`/api/agents/${about.agent}/conversations?cwd=${encodeURIComponent(cwd)}`}
            value={value.agentSessionId}
            onChange={(agentSessionId) => onChange({ ...value, agentSessionId })}
          />
        )}
      </div>
    </details>
  );
}

function titleOf({ takesModel, listsConversations }: { takesModel: boolean; listsConversations: boolean }) {
  if (!listsConversations) return "Model";
  return takesModel ? "Model and earlier conversations" : "Earlier conversations";
}

interface ConversationFieldProps {
  readonly path: string;
  readonly value: string;
  readonly onChange: (agentSessionId: string) => void;
}

/** Only for agents that can list their conversations. */
function ConversationField({ path, value, onChange }: ConversationFieldProps) {
  const now = useNow(60_000);
  const conversations =
    useAnswer<{ conversations: readonly Conversation[] }>(path).value?.conversations ?? [];
  const free = conversations.filter(({ sessionId }) => sessionId === undefined);
  if (free.length === 0) return null;
  return (
    <Field
      label="Continue a conversation"
      help="Conversations started outside Drover. You see the history and continue from there."
    >
      {(control) => (
        <Select {...control} value={value} onChange={(event) => onChange(event.target.value)}>
          <option value="">New conversation</option>
          {free.map(({ agentSessionId, title, updatedAt }) => (
            <option key={agentSessionId} value={agentSessionId}>
              {`${title || agentSessionId} (${ago(updatedAt, now)})`}
            </option>
          ))}
        </Select>
      )}
    </Field>
  );
}
