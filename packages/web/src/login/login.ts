// Plain DOM and no imports: before login only this page's own files are served.
export {};

const line = element("status", HTMLParagraphElement);
const form = element("form", HTMLFormElement);
const secret = element("secret", HTMLInputElement);

type Secret = { readonly code: string } | { readonly token: string };

form.addEventListener("submit", (event) => {
  event.preventDefault();
  void logIn(readSecret(secret.value.trim()));
});

// A second link opened in the same tab changes the fragment only.
addEventListener("hashchange", followLink);
/** The address somebody wanted to see: browsers keep its fragment when the server sends them here. */
let wanted = "";
followLink();

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
  const health = await fetch("/api/health")
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
  let answer: number | undefined;
  for (const body of secrets) {
    answer = await post(body);
    if (answer === 204) return location.replace(`/${wanted}`);
    if (answer !== 401) break;
  }
  form.inert = false;
  askForSecret(failure(answer), true);
}

/** The answer's status; nothing when there was no answer. */
async function post(body: Secret): Promise<number | undefined> {
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
  return "This code or token is not valid, or was used already. Run `drover serve` for a new login link.";
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
