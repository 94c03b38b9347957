import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./app.tsx";
import { notifyOf } from "./inbox/notifications.ts";
import { Drover, DroverProvider } from "./state/drover.ts";
import { goToLogin } from "./transport/http.ts";
import { loginKey } from "./transport/login-key.ts";
import { fetchViews } from "./ui/lazily.ts";
// Every style comes with the page, so that no view is drawn without its own.
import "./docs/docs.css";
import "./transcript/transcript.css";
import "./session/session.css";
import "./styles/index.css";

// The cookie alone brought us here: without the key nothing could be shown.
if (loginKey() === undefined) goToLogin();
else start();

function start(): void {
  const root = document.getElementById("root");
  if (!root) throw new Error("index.html has no #root");

  // Both pages ask for it ahead; where no code is in sight yet, nothing else would take it.
  document.fonts.load('1em "Geist Mono Variable"').catch(() => undefined);
  const drover = new Drover();
  notifyOf(drover.inbox);
  drover.connection.onOpen(fetchViews);
  drover.connection.start();
  createRoot(root).render(
    <StrictMode>
      <DroverProvider value={drover}>
        <App />
      </DroverProvider>
    </StrictMode>,
  );
}
