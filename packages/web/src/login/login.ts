// Plain DOM and no imports: before login only this page's own files are served.
export {};

const line = element("status", HTMLParagraphElement);
const form = element("form", HTMLFormElement);
const secret = element("secret", HTMLInputElement);

type Secret = { readonly code: string } | { readonly token: string };

/** Where the page of the sessions finds the key of this browser's login. */
const keyName = "drover:key";

form.addEventListener("submit", (event) => {
  event.preventDefault();
  void logIn(readSecret(secret.value.trim()));
});

// A second link opened in the same tab changes the fragment only.
addEventListener("hashchange", followLink);
/** The address somebody wanted to see: browsers keep its fragment when the server sends them here. */
let wanted = "";
followLink();
// Another tab has logged in.
addEventListener("storage", ({ key }) => {
  if (key === keyName) void goOnIfLoggedIn();
});

function followLink(): void {
  const fragment = location.hash.slice(1);
  // A code must not stay in the history, where it would be tried again.
  history.replaceState(null, "", location.pathname);
  const isAddress = fragment.startsWith("/");
  if (isAddress) wanted = `#${fragment}`;
  if (isAddress || fragment === "") {
    askForSecret(
      hasEnded() ? "Your login has ended; what you wrote is kept. Log in to go on." : "Log in to go on.",
    );
    void goOnIfLoggedIn();
  } else void logIn([{ code: decodeURIComponent(fragment) }]);
}

/** The page of the sessions says so before it leads here. */
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

/** Who follows a link of another site comes without the cookie of a login, which is there all the same. */
async function goOnIfLoggedIn(): Promise<void> {
  const key = storedKey();
  if (!key) return;
  const health = await fetch("/api/health", { headers: { "X-Drover-Key": key } })
    .then((response) => response.json() as Promise<{ readonly loggedIn?: true }>)
    .catch(() => undefined);
  if (health?.loggedIn) location.replace(`/${wanted}`);
}

/** What people paste: the whole link, its code, or the token. The last two do not tell which they are. */
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

/** 256 random bits. The cookie of a login reaches every port of this host; what our origin stores does not. */
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

/** The answer's status; nothing when there was no answer. */
async function post(body: Secret & { readonly key: string }): Promise<number | undefined> {
  const response = await fetch("/api/login", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  }).catch(() => undefined);
  return response?.status;
}

function failure(answer: number | undefined): string {
  if (answer === undefined) return "Drover does not answer. Start it with `drover serve`, then try again.";
  if (answer === 429) return "Too many attempts. Wait a minute, then try again.";
  if (answer === 204)
    return "This browser stores nothing for this address. Allow site data, then log in again.";
  return "This code or token is not valid, or was used already. Run `drover` for a new login link.";
}

function askForSecret(message: string, failed = false): void {
  line.replaceChildren(...message.split("`").map((words, at) => (at % 2 === 1 ? code(words) : words)));
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

/** What stands between backticks is to be typed. */
function code(words: string): HTMLElement {
  const shown = document.createElement("code");
  shown.textContent = words;
  return shown;
}
