// Plain DOM and no imports: before login, the server serves only this page's own files.
export {};

const line = element("status", HTMLParagraphElement);
const form = element("form", HTMLFormElement);
const secret = element("secret", HTMLInputElement);

type Secret = { readonly code: string } | { readonly token: string };

/** The storage key under which the app finds this browser's login key. */
const keyName = "drover:key";

form.addEventListener("submit", (event) => {
  event.preventDefault();
  void logIn(readSecret(secret.value.trim()));
});

// A second link opened in the same tab changes the fragment only.
addEventListener("hashchange", followLink);
/** The address to open after login: browsers keep its fragment when the server redirects here. */
let wanted = "";
followLink();
// Another tab has logged in.
addEventListener("storage", ({ key }) => {
  if (key === keyName) void goOnIfLoggedIn();
});

function followLink(): void {
  const fragment = location.hash.slice(1);
  // Keep the code out of the history: going back must not try it again.
  history.replaceState(null, "", location.pathname);
  const isAddress = fragment.startsWith("/");
  if (isAddress) wanted = `#${fragment}`;
  if (isAddress || fragment === "") {
    askForSecret(
      hasEnded() ? "Your login has ended. Your drafts are saved. Log in to continue." : "Log in to continue.",
    );
    void goOnIfLoggedIn();
  } else void logIn([{ code: decodeURIComponent(fragment) }]);
}

/** The app sets this before it redirects here. */
function hasEnded(): boolean {
  const key = "drover:login-ended";
  try {
    const ended = sessionStorage.getItem(key) !== null;
    sessionStorage.removeItem(key);
    return ended;
  } catch {
    return false;
  }
}

/** A link from another site arrives without the login's cookie, although the browser has it. */
async function goOnIfLoggedIn(): Promise<void> {
  const key = storedKey();
  if (!key) return;
  const health = await fetch("/api/health", { headers: { "X-Drover-Key": key } })
    .then((response) => response.json() as Promise<{ readonly loggedIn?: true }>)
    .catch(() => undefined);
  if (health?.loggedIn) location.replace(`/${wanted}`);
}

/** Reads a pasted link, code or token. Codes and tokens look alike, so both are tried. */
function readSecret(text: string): Secret[] {
  const link = /#(.+)$/.exec(text);
  return link?.[1] ? [{ code: link[1] }] : [{ code: text }, { token: text }];
}

async function logIn(secrets: readonly Secret[]): Promise<void> {
  line.textContent = "Logging in…";
  delete line.dataset["failed"];
  form.inert = true;
  const key = newKey();
  let answer: number | undefined;
  for (const secret of secrets) {
    answer = await post({ ...secret, key });
    if (answer !== 401) break;
  }
  const isKept = answer === 204 && keepKey(key);
  if (isKept) return location.replace(`/${wanted}`);
  form.inert = false;
  askForSecret(failure(answer), true);
}

/** 256 random bits. Cookies are sent to every port of a host; storage is limited to our origin. */
function newKey(): string {
  const random = crypto.getRandomValues(new Uint8Array(32));
  return Array.from(random, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function storedKey(): string | undefined {
  try {
    return localStorage.getItem(keyName) ?? undefined;
  } catch {
    return undefined;
  }
}

function keepKey(key: string): boolean {
  try {
    localStorage.setItem(keyName, key);
    return true;
  } catch {
    return false;
  }
}

/** The status of the response; undefined if there was none. */
async function post(body: Secret & { readonly key: string }): Promise<number | undefined> {
  const response = await fetch("/api/login", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  }).catch(() => undefined);
  return response?.status;
}

function failure(answer: number | undefined): string {
  if (answer === undefined) return "Can't reach Drover. Start it with `drover serve`, then try again.";
  if (answer === 429) return "Too many attempts. Wait a minute, then try again.";
  if (answer === 204) return "This browser blocks site data for this address. Allow it, then log in again.";
  return "This code or token is invalid or was already used. Run `drover` for a new login link.";
}

function askForSecret(message: string, failed = false): void {
  line.replaceChildren(...message.split("`").map((part, at) => (at % 2 === 1 ? code(part) : part)));
  if (failed) line.dataset["failed"] = "";
  form.hidden = false;
  secret.select();
  secret.focus();
}

function element<T extends HTMLElement>(id: string, kind: new () => T): T {
  const found = document.getElementById(id);
  if (!(found instanceof kind)) throw new Error(`login.html has no #${id}`);
  return found;
}

/** Text between backticks is code. */
function code(text: string): HTMLElement {
  const shown = document.createElement("code");
  shown.textContent = text;
  return shown;
}
