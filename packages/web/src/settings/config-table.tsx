import type { ConfigReport, SettingReport } from "@drover/core";
import { useState } from "react";
import { CopyButton } from "../ui/copy-button.tsx";
import { settingWords, sourceWords } from "./setting-words.ts";

type Entry = readonly [path: string, setting: SettingReport];

/** The server's settings with their values and sources. They are changed in the file. */
export function ConfigTable({ report }: { report: ConfigReport }) {
  const { file, home, settings } = report;
  const [onlySet, setOnlySet] = useState(false);
  const entries = Object.entries(settings);
  const set = entries.filter(([, { from }]) => from !== "default");
  const groups = [
    ...Map.groupBy(onlySet ? set : changedFirst(entries), ([path]) => path.split(".")[0] ?? ""),
  ];
  return (
    <>
      <p className="mt-1 mb-3 max-w-[38rem] text-muted">
        Command-line options override environment variables, which override this file. Drover reloads the file
        when it changes; agents keep running.
      </p>
      <Pending report={report} />
      <dl className="mb-4 grid gap-1 text-xs">
        <Place name="File" path={file} />
        <Place name="Home" path={home} />
      </dl>
      <label className="mb-3 flex w-fit items-center gap-2 text-muted text-xs">
        <input type="checkbox" checked={onlySet} onChange={(event) => setOnlySet(event.target.checked)} />
        Only changed settings ({set.length})
      </label>
      {onlySet && set.length === 0 && <p className="text-faint">All settings have their default values.</p>}
      <div className="grid gap-5">
        {groups.map(([group, own]) => (
          <Group key={group} group={group} entries={own} />
        ))}
      </div>
    </>
  );
}

/** Groups with changed settings come first, and so do the changed settings of a group. */
const changedFirst = (entries: readonly Entry[]): Entry[] =>
  entries.toSorted(([, a], [, b]) => Number(a.from === "default") - Number(b.from === "default"));

/** Settings in the file that are not in effect, and why. */
function Pending({ report: { problems = [], restart = [] } }: { report: ConfigReport }) {
  return (
    <>
      {problems.length > 0 && (
        <div role="alert" className="mb-3 max-w-[38rem] text-bad">
          <p>The file has errors. The server keeps its previous settings:</p>
          <ul className="mt-1 grid gap-1 break-words font-mono text-xs">
            {problems.map((problem) => (
              <li key={problem}>{problem}</li>
            ))}
          </ul>
        </div>
      )}
      {restart.length > 0 && (
        <p role="status" className="mb-3 max-w-[38rem] text-warn">
          Changed in the file, takes effect after a restart: {restart.join(", ")}. Restart with{" "}
          <code>drover down && drover serve</code>.
        </p>
      )}
    </>
  );
}

function Place({ name, path }: { name: string; path: string }) {
  return (
    <div className="flex items-center gap-2">
      <dt className="w-10 shrink-0 text-muted">{name}</dt>
      <dd className="flex min-w-0 items-center">
        <span className="break-all font-mono">{path}</span>
        <CopyButton text={path} />
      </dd>
    </div>
  );
}

function Group({ group, entries }: { group: string; entries: readonly Entry[] }) {
  return (
    <section aria-label={group}>
      <h3 className="mb-1.5 font-medium font-mono text-muted text-xs">{group}</h3>
      <dl className="divide-y divide-line rounded-lg border border-line">
        {entries.map(([path, setting]) => (
          <Row key={path} name={path.slice(group.length + 1) || path} setting={setting} />
        ))}
      </dl>
    </section>
  );
}

function Row({ name, setting }: { name: string; setting: SettingReport }) {
  const { value, unit, from, source, fallback } = setting;
  const isDefault = from === "default";
  return (
    <div className="grid gap-x-3 px-3.5 py-2 md:grid-cols-[11rem_minmax(0,1fr)_auto]">
      <dt className="font-mono text-xs leading-5">{name}</dt>
      <dd
        className={`min-w-0 break-all font-mono text-xs leading-5 ${isDefault ? "text-muted" : "font-medium"}`}
      >
        {settingWords(value, unit)}
      </dd>
      <dd className="text-2xs text-faint leading-5" title={isDefault ? undefined : source}>
        {isDefault ? "Default" : `${sourceWords(setting)} · default ${settingWords(fallback, unit)}`}
      </dd>
    </div>
  );
}
