import type { ModelOffer, Session } from "@drover/core";
import { useState } from "react";
import { useDrover } from "../state/drover.ts";
import { useResource } from "../state/use-resource.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Field } from "../ui/field.tsx";
import { CheckIcon } from "../ui/icons.tsx";
import { useAction } from "../ui/use-action.ts";

export interface ModelProps {
  readonly session: Session;
  /** The model the agent reports, or else the one that was set. */
  readonly model: string | undefined;
}

/** Takes any model name. Typing filters the models that the agent offers. */
export function ModelDialog({ session, model, onClose }: ModelProps & { onClose: () => void }) {
  const drover = useDrover();
  const { busy, problem, run } = useAction();
  const [name, setName] = useState("");
  const agents = useResource(drover.agents).value?.agents;
  const about = agents?.find(({ agent }) => agent === session.agent);
  const offers = about?.models ?? [];
  const save = async (chosen: string) => {
    if (await run(() => drover.change(session.id, { model: chosen }))) onClose();
  };
  if (about?.lacks.includes("model")) {
    return (
      <Dialog title="Model" onClose={onClose}>
        <p className="text-muted">
          {about.name} doesn't take a model from Drover. Choose one in its own settings.
        </p>
      </Dialog>
    );
  }
  return (
    <Dialog title="Model" onClose={onClose}>
      <form
        className="grid gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          void save(name.trim());
        }}
      >
        <Field
          label={`Model name, as ${about?.name ?? session.agent} knows it`}
          help="Takes effect on the next turn."
          problem={problem}
        >
          {(control) => (
            <input
              {...control}
              className="field font-mono"
              maxLength={200}
              spellCheck={false}
              autoCapitalize="off"
              placeholder={model ?? "Agent's default"}
              value={name}
              onChange={(event) => setName(event.target.value)}
            />
          )}
        </Field>
        <Offers offers={offers.filter(isLike(name))} current={model} onChoose={(id) => void save(id)} />
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" disabled={busy || name.trim() === ""}>
            Use this model
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

const isLike = (typed: string) => {
  const terms = typed.trim().toLowerCase().split(/\s+/);
  return ({ id, name }: ModelOffer) => terms.every((term) => `${id} ${name}`.toLowerCase().includes(term));
};

interface OffersProps {
  readonly offers: readonly ModelOffer[];
  readonly current: string | undefined;
  readonly onChoose: (id: string) => void;
}

function Offers({ offers, current, onChoose }: OffersProps) {
  if (offers.length === 0) return null;
  return (
    <ul aria-label="Available models" className="-mx-2 max-h-64 overflow-y-auto">
      {offers.map(({ id, name }) => (
        <li key={id}>
          <button
            type="button"
            aria-pressed={id === current}
            onClick={() => onChoose(id)}
            className="flex min-h-8 w-full items-center gap-2 rounded-md px-2 text-left hover:bg-hover"
          >
            <span className="min-w-0 truncate">{name}</span>
            {name !== id && <span className="min-w-0 truncate font-mono text-faint text-xs">{id}</span>}
            {id === current && (
              <span className="ml-auto text-good">
                <CheckIcon size={14} />
              </span>
            )}
          </button>
        </li>
      ))}
    </ul>
  );
}
