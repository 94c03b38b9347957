import { type AgentCommand, type FileMatches, rank, rankPaths, type Session } from "@drover/core";
import {
  type ComponentProps,
  type KeyboardEvent,
  type RefObject,
  type SyntheticEvent,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import { PathText } from "../ui/path-text.tsx";
import { OptionList } from "./option-list.tsx";
import { complete, mentionOf, type Token, tokenAt } from "./token.ts";
import { type Option, useListbox } from "./use-listbox.ts";
import { useMatches } from "./use-matches.ts";

const most = 20;

interface MessageFieldProps extends Omit<ComponentProps<"textarea">, "onChange" | "value"> {
  readonly field: RefObject<HTMLTextAreaElement | null>;
  readonly value: string;
  readonly onChange: (text: string) => void;
  /** Where to look for files: the start of a path that ends with a query. */
  readonly filesAt: string | undefined;
  /** The session whose agent's commands are suggested. */
  readonly commandsOf?: string;
  /** Where suggestions appear. */
  readonly side: "above" | "below";
}

interface Suggestion extends Option {
  readonly command?: AgentCommand;
}

/** A field for a message, which completes `@file` and, if there is a session, its agent's `/command`. */
export function MessageField(props: MessageFieldProps) {
  const { field, value, onChange, filesAt, commandsOf, side, onKeyDown, ...rest } = props;
  const [token, setToken] = useState<Token>();
  /** Where the caret goes once the field has the new text. */
  const nextCaret = useRef<number>(undefined);
  useLayoutEffect(() => {
    if (nextCaret.current === undefined) return;
    field.current?.setSelectionRange(nextCaret.current, nextCaret.current);
    nextCaret.current = undefined;
  });
  const options: readonly Suggestion[] = [...useFiles(token, filesAt), ...useCommands(token, commandsOf)];
  const close = () => setToken(undefined);
  const choose = ({ text }: { readonly text: string }) => {
    if (!token) return;
    const completed = complete(value, token, text);
    nextCaret.current = completed.caret;
    onChange(completed.text);
    close();
  };
  const typed = token ? value.slice(token.start, token.end) : "";
  const list = useListbox({ options, typed, isEager: true, onChoose: choose, onClose: close });

  /** Moving the caret out of the name ends the suggestions; only typing begins them. */
  const onSelect = ({ currentTarget }: SyntheticEvent<HTMLTextAreaElement>) => {
    const { selectionStart, selectionEnd } = currentTarget;
    const isInside = token && selectionStart > token.start && selectionEnd <= token.end;
    if (!isInside) close();
  };
  return (
    <div className="relative">
      <textarea
        {...rest}
        {...list.field}
        ref={field}
        value={value}
        onChange={({ target }) => {
          setToken(tokenAt(target.value, target.selectionStart));
          onChange(target.value);
        }}
        onSelect={onSelect}
        onBlur={close}
        onKeyDown={(event: KeyboardEvent<HTMLTextAreaElement>) => {
          if (!list.onKeyDown(event)) onKeyDown?.(event);
        }}
      />
      <OptionList
        id={list.id}
        label={token?.kind === "command" ? "Commands" : "Files"}
        options={options}
        at={list.at}
        className={side === "above" ? "bottom-full mb-1.5" : "top-full mt-1"}
        onChoose={choose}
      >
        {(option) =>
          option.command ? (
            <CommandOption command={option.command} />
          ) : (
            <span className="min-w-0 font-mono text-xs">
              <PathText path={option.key} />
            </span>
          )
        }
      </OptionList>
    </div>
  );
}

function useFiles(token: Token | undefined, filesAt: string | undefined) {
  const query = token?.kind === "file" ? token.query : undefined;
  const path =
    filesAt === undefined || query === undefined
      ? undefined
      : `${filesAt}limit=${most}&query=${encodeURIComponent(query)}`;
  const found = useMatches<FileMatches>(path);
  if (query === undefined) return [];
  // Until the next answer comes, the last one is narrowed down.
  const paths = rankPaths(query, found?.files.map((file) => file.path) ?? [], most);
  return paths.map((each) => ({ key: each, text: mentionOf(each) }));
}

function useCommands(token: Token | undefined, sessionId: string | undefined) {
  const query = token?.kind === "command" ? token.query : undefined;
  const isWanted = query !== undefined && sessionId !== undefined;
  const session = useMatches<Session>(isWanted ? `/api/sessions/${sessionId}` : undefined);
  if (query === undefined) return [];
  return rank(query, session?.commands ?? [], ({ name }) => name)
    .slice(0, most)
    .map((command) => ({ key: `/${command.name}`, text: `/${command.name}`, command }));
}

function CommandOption({ command }: { command: AgentCommand }) {
  const { name, description, hint } = command;
  return (
    <>
      <span className="shrink-0 font-mono text-xs">/{name}</span>
      {hint && <span className="shrink-0 truncate text-faint text-xs max-md:hidden">{hint}</span>}
      {description && <span className="min-w-0 truncate text-muted text-xs">{description}</span>}
    </>
  );
}
