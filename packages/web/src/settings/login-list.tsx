import type { LoginInfo } from "@drover/core";
import { ago, fullTime, useNow } from "../format/time.ts";
import { useAnswer } from "../state/use-resource.ts";
import { api, logOut } from "../transport/http.ts";
import { Button } from "../ui/button.tsx";
import { ProblemText } from "../ui/problem.tsx";
import { useAction } from "../ui/use-action.ts";

/** The browsers that are logged in, the current one first. */
export function LoginList() {
  const { value, problem, reload } = useAnswer<{ logins: readonly LoginInfo[] }>("/api/logins");
  const action = useAction();
  const logins = value?.logins ?? [];
  const own = logins.filter(({ current }) => current);
  const others = logins.filter(({ current }) => !current);
  const revoke = async (path: string) => {
    await action.run(() => api("DELETE", path));
    reload();
  };
  return (
    <>
      <p className="mt-1 mb-3 max-w-[38rem] text-muted">
        A login ends when you revoke it, after 30 days of inactivity, or when you replace the server's token.
      </p>
      <ProblemText problem={action.problem ?? problem} />
      {value && (
        <ul aria-label="Logins" className="divide-y divide-line rounded-lg border border-line">
          {[...own, ...others].map((login) => (
            <LoginRow
              key={login.id}
              login={login}
              busy={action.busy}
              onEnd={() => void (login.current ? action.run(logOut) : revoke(`/api/logins/${login.id}`))}
            />
          ))}
        </ul>
      )}
      {others.length > 1 && (
        <Button
          look="danger"
          className="mt-3"
          disabled={action.busy}
          onClick={() => void revoke("/api/logins")}
        >
          Revoke all others
        </Button>
      )}
    </>
  );
}

interface LoginRowProps {
  readonly login: LoginInfo;
  readonly busy: boolean;
  readonly onEnd: () => void;
}

function LoginRow({ login: { label, current, createdAt, lastUsedAt }, busy, onEnd }: LoginRowProps) {
  const now = useNow(60_000);
  const use = current ? "In use" : lastUse(lastUsedAt, now);
  return (
    <li className="flex items-center gap-3 px-3.5 py-2.5">
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-x-2">
          <span className="min-w-0 truncate font-medium">{label}</span>
          {current && <span className="text-good text-xs">This browser</span>}
        </p>
        <p className="text-muted text-xs">
          {use} ·{" "}
          <span className="whitespace-nowrap" title={fullTime(createdAt)}>
            logged in {day.format(new Date(createdAt))}
          </span>
        </p>
      </div>
      {current ? (
        <Button disabled={busy} onClick={onEnd}>
          Log out
        </Button>
      ) : (
        <Button look="danger" disabled={busy} aria-label={`Revoke ${label}, ${use}`} onClick={onEnd}>
          Revoke
        </Button>
      )}
    </li>
  );
}

const day = new Intl.DateTimeFormat(undefined, { dateStyle: "medium" });

function lastUse(iso: string, now: number): string {
  return now - Date.parse(iso) < 3_600_000 ? "Used within the last hour" : `Last used ${ago(iso, now)} ago`;
}
